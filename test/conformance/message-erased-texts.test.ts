import assert from 'node:assert/strict'
import { it } from 'node:test'

import knex from 'knex'

import type { Client, Parameters } from '../support/client.js'
import { noticeOthers } from '../support/event-calls.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

const types = ['message', 'update_message', 'delete_message', 'submessage']

/** Registers a queue that has not been polled yet. */
async function queueOf(client: Client, params: Parameters = {}) {
  const { body } = await client.post('/register', {
    event_types: types,
    fetch_event_types: [],
    client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    ...params,
  })
  return { queue_id: body.queue_id, last_event_id: body.last_event_id }
}

async function eventsOf(client: Client, queue: Parameters): Promise<UncheckedJson[]> {
  const { body } = await client.get('/events', { ...queue, dont_block: true })
  return body.events as UncheckedJson[]
}

const typesOf = (events: readonly UncheckedJson[]): string[] =>
  events.map(({ type }) => type as string)

/** The entries of the event log that contain a text. */
async function logged(at: HostCase, text: string): Promise<{ kind: string; data: string }[]> {
  const database = knex(at.host.databaseConfig)
  try {
    return await database('chat_events').where('data', 'like', `%${text}%`).select('kind', 'data')
  } finally {
    await database.destroy()
  }
}

everyDatabase('The event log of a deleted message', 'express', (at) => {
  it('contains none of its contents, nor do queues that were not polled, in any process', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const [here, there] = [await queueOf(bob), await queueOf(bob)]
    const second = await at.host.another('koa')
    try {
      const elsewhere = second.clientOf(bob)
      await eventsOf(elsewhere, there)
      const id = await alice.say(general, 'a', 'hush one')
      await alice.patch(`/messages/${id}`, { content: 'hush two' })
      await alice.patch(`/messages/${id}`, {
        topic: 'b',
        propagate_mode: 'change_one',
        send_notification_to_new_thread: false,
      })
      await noticeOthers(second)
      const before = await eventsOf(elsewhere, there)
      const kept = await logged(at, 'hush')

      await at.people.olga.delete(`/messages/${id}`)
      await noticeOthers(second)
      const after = await eventsOf(elsewhere, there)

      assert.ok(JSON.stringify(before).includes('hush two'))
      assert.equal(kept.length, 2)
      assert.deepEqual(await logged(at, 'hush'), [])
      assert.deepEqual(typesOf(await eventsOf(bob, here)), ['delete_message'])
      assert.deepEqual(typesOf(after), ['delete_message'])
      assert.deepEqual(after[0]?.['message_ids'], [id])
    } finally {
      await second.stop()
    }
  })

  it('contains no content if an edit and the deletion are committed together', async () => {
    const { olga } = at.people
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        olga.say(at.channels.general, 'c', `shared ${index}`),
      ),
    )

    await Promise.all(
      ids.flatMap((id) => [
        olga.patch(`/messages/${id}`, { content: 'murmur' }),
        olga.delete(`/messages/${id}`),
      ]),
    )

    assert.deepEqual(await logged(at, 'murmur'), [])
  })

  it('contains no content of a topic that is deleted in batches', async () => {
    const { bob, olga } = at.people
    const queue = await queueOf(bob)
    for (let index = 0; index < 110; index += 1) {
      await olga.say(at.channels.general, 'whispers', `breath ${index}`)
    }

    const { status } = await olga.post(`/streams/${at.channels.general}/delete_topic`, {
      topic_name: 'whispers',
    })

    assert.equal(status, 200)
    assert.deepEqual(await logged(at, 'breath'), [])
    const events = await eventsOf(bob, queue)
    assert.deepEqual(typesOf(events), ['delete_message', 'delete_message'])
  })

  it('still contains the move of other messages that was sent together with an edit', async () => {
    const { bob, olga } = at.people
    const { general } = at.channels
    const first = await olga.say(general, 'from', 'stays')
    const second = await olga.say(general, 'from', 'goes')
    const queue = await queueOf(bob)
    await olga.patch(`/messages/${second}`, {
      content: 'rustle',
      topic: 'to',
      propagate_mode: 'change_all',
    })

    await olga.delete(`/messages/${second}`)

    assert.deepEqual(await logged(at, 'rustle'), [])
    const moved = (await eventsOf(bob, queue)).find(({ type }) => type === 'update_message')
    assert.deepEqual(moved?.['message_ids'], [first, second])
    assert.equal(moved?.['subject'], 'to')
    assert.ok(moved !== undefined && !('content' in moved) && !('orig_content' in moved))
  })
})

everyDatabase('Messages that users lose access to because of a move', 'koa', (at) => {
  it('are removed from the queues of these users, and from no others', async () => {
    const { alice, bob, carol, olga } = at.people
    const { design, secret } = at.channels
    const all = { all_public_streams: true }
    const queues = {
      bob: await queueOf(bob),
      alice: await queueOf(alice),
      carol: await queueOf(carol, all),
    }
    const second = await at.host.another('express')
    try {
      const elsewhere = second.clientOf(bob)
      await eventsOf(elsewhere, queues.bob)
      const { body } = await alice.get(`/users/${bob.id}/subscriptions/${secret}`)
      const id = await alice.say(design, 'a', 'for few')
      await noticeOthers(second)
      const before = typesOf(await eventsOf(elsewhere, queues.bob))
      await olga.patch(`/users/${alice.id}`, { role: 200 })

      const { status, text } = await alice.patch(`/messages/${id}`, {
        stream_id: secret,
        send_notification_to_new_thread: false,
        send_notification_to_old_thread: false,
      })
      await noticeOthers(second)

      assert.equal(body.is_subscribed, false)
      assert.equal(status, 200, text)
      assert.deepEqual(before, ['message'])
      assert.deepEqual(typesOf(await eventsOf(elsewhere, queues.bob)), ['delete_message'])
      assert.deepEqual(typesOf(await eventsOf(bob, queues.bob)), ['delete_message'])
      assert.deepEqual(typesOf(await eventsOf(carol, queues.carol)), [])
      assert.deepEqual(typesOf(await eventsOf(alice, queues.alice)), ['message', 'update_message'])
    } finally {
      await second.stop()
    }
  })
})
