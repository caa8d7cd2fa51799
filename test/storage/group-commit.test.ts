import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex from 'knex'

import type { Cast } from '../support/cast.js'
import { databaseColumns, reportSkippedColumns, type DatabaseColumn } from '../support/databases.js'
import { everyDatabase, TestHost } from '../support/host.js'
import { faulty } from '../faults/faulty-client.js'

reportSkippedColumns()

describe('concurrent writes on SQLite', () => {
  const { column, statements } = faulty(databaseColumns()[0] as DatabaseColumn)
  const host = new TestHost('express', column)
  let cast: Cast

  before(async () => {
    await host.start()
    cast = await host.organization()
    // The first message creates the rows that the others update.
    await cast.people.alice.say(cast.channels.design, 'warm', 'up')
  })
  after(() => host.stop())

  it('share transactions', async () => {
    const { alice } = cast.people
    const { api } = host.chat.as({ userId: alice.id, organization: cast.subdomain })
    const draft = { type: 'channel', to: cast.channels.design, topic: 'together' } as const
    statements.length = 0

    const sending = Array.from({ length: 100 }, async (_, index) =>
      api.sendMessage({ ...draft, content: String(index) }),
    )
    const ids = (await Promise.all(sending)).map(({ id }) => id)

    const commits = statements.filter((sql) => /^commit/i.test(sql)).length
    assert.ok(commits <= 3, `${commits} commits`)
    assert.equal(new Set(ids).size, 100)
  })
})

/** The entries of the log, whose numbers have no gaps and end where the organization's row says. */
async function denseLog({ databaseConfig }: TestHost): Promise<{ kind: string; data: string }[]> {
  const knex = createKnex(databaseConfig)
  const rows = (await knex('chat_events').orderBy('seq').select('seq', 'data', 'kind')) as {
    seq: number
    data: string
    kind: string
  }[]
  const organization = (await knex('chat_organizations').first('event_seq')) as {
    event_seq: number
  }
  await knex.destroy()
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    Array.from({ length: rows.length }, (_, index) => index + 1),
  )
  assert.equal(organization.event_seq, rows.length)
  return rows
}

everyDatabase('the log of an organization', 'express', (at) => {
  it('has no gaps and no duplicates with many writers, and the order of the commits', async () => {
    const { people, channels } = at
    const senders = [people.alice, people.bob, people.carol, people.adam, people.mona]

    await Promise.all(
      senders.map(async (sender) => {
        for (let index = 0; index < 10; index += 1) {
          await sender.say(channels.general, sender.name, String(index))
        }
      }),
    )

    const rows = await denseLog(at.host)
    const messages = rows
      .filter(({ kind }) => kind === 'message')
      .map(({ data }) => JSON.parse(data) as { topic: string; content: string })
    assert.equal(messages.length, 50)
    for (const { name } of senders) {
      const own = messages.filter(({ topic }) => topic === name)
      assert.deepEqual(
        own.map(({ content }) => Number(content)),
        Array.from({ length: 10 }, (_, index) => index),
      )
    }
  })

  it('has no gaps after writes without events, with several, and refused ones', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const statuses = async (sent: readonly Promise<{ status: number }>[]): Promise<number[]> =>
      (await Promise.all(sent)).map(({ status }) => status)

    const numbers = { stream_id: general, topic_name: 'numbers' }
    for (const round of [0, 1, 2]) {
      await alice.say(general, 'numbers', String(round))
      const together = await statuses([
        // Two events.
        bob.patch('/settings', { email_notifications_batching_period_seconds: 100 + round }),
        // None: these are their own messages.
        alice.post('/mark_topic_as_read', numbers),
        // Refused.
        bob.delete('/saved_snippets/999999'),
        bob.post('/saved_snippets', { title: String(round), content: 'text' }),
      ])
      assert.deepEqual(together, [200, 200, 404, 200])
      // Alone, a refused write and one without events leave nothing.
      assert.deepEqual(await statuses([bob.delete('/saved_snippets/999999')]), [404])
      assert.deepEqual(await statuses([alice.post('/mark_topic_as_read', numbers)]), [200])
      await denseLog(at.host)
    }
  })

  it('stores a list of recipients once, however often it is used', async () => {
    const { people, channels } = at
    const knex = createKnex(at.host.databaseConfig)
    const count = async (): Promise<number> => {
      const [row] = (await knex('chat_event_audiences').count({ count: '*' })) as {
        count: number
      }[]
      return Number(row?.count)
    }

    const before = await count()
    for (let index = 0; index < 5; index += 1) {
      await people.alice.say(channels.vault, 'again', String(index))
      await people.bob.say(channels.vault, 'again', String(index))
    }
    const after = await count()
    await knex.destroy()

    assert.ok(after - before <= 1)
  })
})

everyDatabase('a snapshot during writes', 'koa', (at) => {
  it('and the events after it contain every message exactly once', async () => {
    const { alice, bob, carol } = at.people
    const total = 60
    const listen = () => bob.listen({ fetch_event_types: ['message', 'update_message_flags'] })
    const registering = [listen()]
    // One is taken before the first message, so that not all of them can be taken after the last.
    await registering[0]
    await Promise.all(
      [alice, carol].map(async (sender) => {
        for (let index = 0; index < total / 2; index += 1) {
          await sender.whisper([bob], `${sender.name} ${index}`)
          if (index % 8 === 0) registering.push(listen())
        }
      }),
    )
    const feeds = await Promise.all(registering)

    for (const feed of feeds) {
      const { pms } = feed.snapshot['unread_msgs'] as { pms: { unread_message_ids: number[] }[] }
      const inSnapshot = pms.flatMap(({ unread_message_ids }) => unread_message_ids)
      const inEvents = (await feed.drain())
        .filter((event) => event.type === 'message' && event['message'].sender_id !== bob.id)
        .map((event) => event['message'].id as number)
      const all = [...inSnapshot, ...inEvents]
      assert.equal(all.length, total)
      assert.equal(new Set(all).size, total)
    }
    const sizes = feeds.map(({ snapshot }) => snapshot['last_event_id'] as number)
    assert.ok(new Set(sizes).size > 1, 'they were taken at different times')
  })
})
