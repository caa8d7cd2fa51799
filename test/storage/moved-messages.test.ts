import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { until, within } from '../support/waiting.js'
import { copyMessage, query, writtenFor } from '../support/written-messages.js'

everyDatabase('messages that move before user messages are written', 'express', (at) => {
  const move = async (id: number, stream_id: number) => {
    const changes = {
      stream_id,
      propagate_mode: 'change_one',
      send_notification_to_new_thread: false,
    }
    const answer = await at.people.adam.patch(`/messages/${id}`, changes)
    assert.equal(answer.status, 200, answer.text)
  }
  const flagsFor = async (client: Client, id: number): Promise<string[]> =>
    (await client.get(`/messages/${id}`)).body.message.flags

  const subscribe = async (client: Client, name: string) => {
    const answer = await at.people.adam.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [client.id],
      send_new_subscription_messages: false,
    })
    assert.equal(answer.status, 200, answer.text)
  }
  const unsubscribe = async (client: Client, name: string) => {
    const answer = await at.people.adam.delete('/users/me/subscriptions', {
      subscriptions: [name],
      principals: [client.id],
    })
    assert.equal(answer.status, 200, answer.text)
  }
  const historical = ['read', 'historical']

  it('are received by those who are subscribed to both channels, and by no others', async () => {
    const { adam, alice, bob, carol } = at.people
    const id = await alice.say(at.channels.general, 'move', 'one')

    await move(id, at.channels.design)

    assert.deepEqual(await flagsFor(bob, id), [])
    assert.deepEqual(await flagsFor(carol, id), historical)
    const written = await writtenFor(at, id)
    assert.deepEqual(
      written.filter((userId) => userId !== adam.id),
      [],
    )
  })

  it('twice are written for those who are subscribed to all channels', async () => {
    const { alice, bob, carol } = at.people
    const { general, design } = at.channels
    const id = await alice.say(general, 'move', 'one')

    await move(id, design)
    await move(id, general)

    assert.ok((await writtenFor(at, id)).includes(bob.id))
    assert.deepEqual(await flagsFor(bob, id), [])
    assert.deepEqual(await flagsFor(carol, id), historical)
  })

  it('are received by those who were subscribed after the newest message', async () => {
    const { alice, bob } = at.people
    const { general, design } = at.channels
    await unsubscribe(bob, 'design')
    const id = await alice.say(general, 'move', 'one')
    await subscribe(bob, 'design')

    await move(id, design)

    assert.deepEqual(await flagsFor(bob, id), [])
  })

  it('are received by those who were subscribed between the message and its move', async () => {
    const { alice, bob } = at.people
    const { general, design } = at.channels
    await unsubscribe(bob, 'design')
    const id = await alice.say(general, 'move', 'one')
    await alice.say(design, 'between', 'before Bob')
    await subscribe(bob, 'design')
    await alice.whisper([at.people.carol], 'not for Bob')

    await move(id, design)

    assert.deepEqual(await flagsFor(bob, id), [])
  })

  it('are not received by those who have left since the newest message', async () => {
    const { alice, bob } = at.people
    const { general, design } = at.channels
    const before = await alice.say(design, 'move', 'not written for Bob')
    const id = await alice.say(general, 'move', 'one')
    await unsubscribe(bob, 'design')

    await move(id, design)
    await subscribe(bob, 'design')

    assert.deepEqual(await flagsFor(bob, id), historical)
    assert.deepEqual(await flagsFor(bob, before), ['read'])
  })

  it('are not received by those who subscribe later, even if the newest message is gone', async () => {
    const { adam, alice, bob } = at.people
    const { general, design } = at.channels
    await unsubscribe(bob, 'design')
    const id = await alice.say(general, 'move', 'one')
    const newest = await alice.say(general, 'gone', 'newest')

    await move(id, design)
    assert.equal((await adam.delete(`/messages/${newest}`)).status, 200)
    await subscribe(bob, 'design')

    assert.deepEqual(await flagsFor(bob, id), historical)
  })

  it('are read for those who have left the first channel', async () => {
    const { alice, bob } = at.people
    const { general, design } = at.channels
    const id = await alice.say(general, 'move', 'one')
    const other = await alice.say(general, 'move', 'another')
    await unsubscribe(bob, 'general')

    await move(id, design)
    await subscribe(bob, 'general')

    assert.deepEqual(await flagsFor(bob, id), ['read'])
    assert.deepEqual(await flagsFor(bob, other), ['read'])
  })

  it('stay unread for those who leave the first channel later', async () => {
    const { alice, bob } = at.people
    const { general, design } = at.channels
    const id = await alice.say(general, 'move', 'one')

    await move(id, design)
    await unsubscribe(bob, 'general')
    await subscribe(bob, 'general')

    assert.deepEqual(await flagsFor(bob, id), [])
  })

  it('become read for those who leave the second channel later', async () => {
    const { alice, bob } = at.people
    const { general, design } = at.channels
    const id = await alice.say(general, 'move', 'one')

    await move(id, design)
    await unsubscribe(bob, 'design')

    assert.deepEqual(await flagsFor(bob, id), ['read'])
    await subscribe(bob, 'design')
  })

  it('are written in the background after a long absence', async () => {
    const { alice, bob } = at.people
    const { general, design } = at.channels
    const id = await alice.say(general, 'move', 'one')
    await move(id, design)
    const last = await alice.say(general, 'many', 'the first of many')
    const newest = await query(at, (knex) => copyMessage(knex, last, 6000))

    assert.deepEqual(await flagsFor(bob, id), [])
    // It looks at users who call for the first time.
    const other = await at.host.another('koa')
    assert.deepEqual(await flagsFor(other.clientOf(bob), id), [])
    await until('the newest to be written', async () => {
      other.clock.fire(1)
      return (await writtenFor(at, newest)).includes(bob.id)
    })
    await other.stop()
    assert.ok((await writtenFor(at, id)).includes(bob.id))
    assert.deepEqual(await flagsFor(bob, id), [])
  })

  it('are written after a subscription that began after thousands of them were sent', async () => {
    const { adam, alice, bob } = at.people
    const { general, design } = at.channels
    await unsubscribe(bob, 'design')
    const first = await alice.say(general, 'merged', 'the first of many')
    const newest = await query(at, (knex) => copyMessage(knex, first, 6000))
    await subscribe(bob, 'design')
    await alice.say(general, 'elsewhere', 'after the subscription')
    const moved = await adam.patch(`/messages/${first}`, {
      stream_id: design,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    })
    assert.equal(moved.status, 200, moved.text)

    const marked = await within('the end of the call', bob.post('/mark_all_as_read'))

    assert.equal(marked.status, 200, marked.text)
    assert.deepEqual(await flagsFor(bob, newest), ['read'])
    assert.ok((await writtenFor(at, newest)).includes(bob.id))
  })

  it('are forgotten when they are deleted', async () => {
    const { adam, alice } = at.people
    const id = await alice.say(at.channels.general, 'move', 'one')
    await move(id, at.channels.design)

    assert.equal((await adam.delete(`/messages/${id}`)).status, 200)

    const rows = await query(at, (knex) => knex('chat_moved_messages').where({ message_id: id }))
    assert.deepEqual(rows, [])
  })

  it('from a channel with protected history are removed for those who lose access', async () => {
    const { adam, alice, bob, carol } = at.people
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'protected source' }],
      principals: [adam.id, alice.id, bob.id, carol.id],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const { body } = await alice.get('/get_stream_id', { stream: 'protected source' })
    const [losing, keeping] = [
      await carol.listen({ event_types: ['delete_message', 'update_message'] }),
      await bob.listen({ event_types: ['delete_message', 'update_message'] }),
    ]
    await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'private target' }],
      principals: [adam.id, alice.id, bob.id],
      invite_only: true,
    })
    const { body: target } = await adam.get('/get_stream_id', { stream: 'private target' })
    const id = await alice.say(body.stream_id, 'move', 'one')

    await move(id, target.stream_id)

    const gone = await losing.until('the removal', ({ type }) => type === 'delete_message')
    assert.deepEqual(
      gone.map(({ type, message_ids, message_id }) => [type, message_ids ?? message_id]),
      [['delete_message', id]],
    )
    await keeping.until('the move', ({ type }) => type === 'update_message')
    assert.deepEqual(await flagsFor(bob, id), [])
    assert.equal((await carol.get(`/messages/${id}`)).status, 400)
    assert.ok(!(await writtenFor(at, id)).includes(carol.id))
  })
})
