import assert from 'node:assert/strict'
import { it } from 'node:test'

import knex from 'knex'

import type { Client } from '../support/client.js'
import { assertBadQueue, park, registered, sweepAfter } from '../support/event-calls.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { until } from '../support/waiting.js'

const maxQueues = 100
const minimal = { event_types: ['message'], fetch_event_types: [] }

async function registerMany(client: Client, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { body } = await client.post('/register', minimal)
    ids.push(body.queue_id)
  }
  return ids
}

interface StoredQueue {
  readonly id: string
  readonly options: string
  readonly last_seen_at_seconds: number
}

async function stored(at: HostCase, client: Client): Promise<StoredQueue[]> {
  const database = knex(at.host.databaseConfig)
  try {
    return await database('chat_event_queues').where({ user_id: client.id }).select()
  } finally {
    await database.destroy()
  }
}

/** Adds copies of a queue that no process has in memory, with the same time of last use. */
async function copy(at: HostCase, queueId: string, count: number): Promise<void> {
  const database = knex(at.host.databaseConfig)
  try {
    const row = await database('chat_event_queues').where({ id: queueId }).first()
    const rows = Array.from({ length: count }, (_, index) => ({
      ...row,
      id: `${queueId.slice(0, 70)}${index}`,
    }))
    await database.batchInsert('chat_event_queues', rows, 20)
  } finally {
    await database.destroy()
  }
}

const isAlive = async (client: Client, queueId: string): Promise<boolean> =>
  (await client.get('/events', { queue_id: queueId, dont_block: true })).status === 200

everyDatabase('The options of a queue', 'express', (at) => {
  it('contain no unknown capabilities and event types', async () => {
    const { alice } = at.people
    const junk = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`unknown_${index}`, 'x'.repeat(20)]),
    )
    const event_types = ['message', 'no_such_type', 'message', 'x'.repeat(100), 'reaction']

    const answer = await alice.post('/register', {
      event_types,
      fetch_event_types: [],
      narrow: Array.from({ length: 20 }, () => ['is', 'dm']),
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: false,
        ...junk,
      },
    })
    const [row] = await stored(at, alice)

    assert.equal(answer.status, 200)
    const options = JSON.parse(row?.options ?? '')
    assert.deepEqual(options.capabilities, {
      notification_settings_null: true,
      bulk_message_deletion: false,
    })
    assert.deepEqual(options.eventTypes, ['message', 'reaction'])
    assert.deepEqual(options.narrow, [['is', 'dm']])
  })

  it('may include an unknown event type, which has no events', async () => {
    const { bob } = at.people
    const { body } = await bob.post('/register', {
      event_types: ['no_such_type'],
      fetch_event_types: [],
    })

    await bob.whisper([bob], 'not wanted')
    const params = { queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true }

    assert.deepEqual((await bob.get('/events', params)).body.events, [])
  })

  it('are refused if they are too long, or if known capabilities are not booleans', async () => {
    const { alice } = at.people
    const refused = [
      [{ narrow: [['topic', 'x'.repeat(321)]] }, /^narrow\[0\]\[1\] is too long/],
      [{ narrow: Array.from({ length: 21 }, () => ['is', 'dm']) }, /^narrow is too long/],
      [{ event_types: ['x'.repeat(101)] }, /^event_types/],
      [{ event_types: Array.from({ length: 201 }, () => 'message') }, /^event_types/],
      [{ fetch_event_types: ['x'.repeat(101)] }, /^fetch_event_types/],
      [
        { client_capabilities: { notification_settings_null: true, junk: 'x'.repeat(10_000) } },
        /^client_capabilities is too long/,
      ],
      [
        { client_capabilities: { notification_settings_null: true, archived_channels: 'yes' } },
        /^client_capabilities\["archived_channels"\] is not a boolean$/,
      ],
    ] as const

    for (const [params, problem] of refused) {
      const answer = await alice.post('/register', params)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.msg, problem)
    }
  })
})

everyDatabase('The queues of one user', 'koa', (at) => {
  it('are limited in number: the one that was idle longest is removed', async () => {
    const { alice, bob } = at.people
    const [ofBob] = (await registerMany(bob, 1)) as [string]
    const [used, idle] = (await registerMany(alice, 2)) as [string, string]
    at.clock.jump(200)
    const [later] = (await registerMany(alice, 1)) as [string]
    await copy(at, later, maxQueues - 3)
    assert.ok(await isAlive(alice, used))

    const [newest] = (await registerMany(alice, 1)) as [string]

    assertBadQueue(await alice.get('/events', { queue_id: idle, dont_block: true }), idle)
    assert.equal((await stored(at, alice)).length, maxQueues)
    for (const id of [used, later, newest]) assert.ok(await isAlive(alice, id))
    assert.ok(await isAlive(bob, ofBob))
  })

  it('are not removed while a client waits for events in another process', async () => {
    const { carol } = at.people
    const second = await at.host.another('express')
    try {
      const elsewhere = second.clientOf(carol)
      const { body } = await carol.post('/register', minimal)
      const queue = { queue_id: body.queue_id, last_event_id: body.last_event_id }
      const poll = await park(elsewhere, second.clock, queue)
      await until('the time of last use from the other process', async () => {
        second.clock.fire(1)
        const [row] = await stored(at, carol)
        return row !== undefined && row.last_seen_at_seconds > at.clock.seconds
      })

      const [idle] = (await registerMany(carol, 1)) as [string]
      at.clock.jump(10)
      await registerMany(carol, maxQueues)
      await carol.whisper([carol], 'still there')
      second.clock.fire(0.25)
      const answer = await poll.answer

      assert.equal(answer.body.events.length, 1, answer.text)
      assert.equal((await stored(at, carol)).length, maxQueues)
      assert.equal(await isAlive(carol, idle), false)
    } finally {
      await second.stop()
    }
  })

  it('end the poll of a client if another process removes the queue', async () => {
    const { gus } = at.people
    const second = await at.host.another('express')
    try {
      const { body } = await gus.post('/register', minimal)
      const queue = { queue_id: body.queue_id, last_event_id: body.last_event_id }
      const poll = await park(gus, at.clock, queue)
      // No poll waits this long without a heartbeat, so the queue counts as unused.
      at.clock.jump(1000)
      second.clock.jump(1000)

      const [later] = (await registerMany(second.clientOf(gus), 1)) as [string]
      await copy(at, later, maxQueues - 2)
      await registerMany(second.clientOf(gus), 1)
      at.clock.fire(0.25)
      const waiting = await poll.answer

      assert.deepEqual(waiting.body.events, [])
      assertBadQueue(await gus.get('/events', queue), body.queue_id)
      assert.equal((await stored(at, gus)).length, maxQueues)
    } finally {
      await second.stop()
    }
  })

  it('do not exceed the limit if several processes register at once', async () => {
    const { adam } = at.people
    const [first] = (await registerMany(adam, 1)) as [string]
    await copy(at, first, maxQueues - 4)
    const second = await at.host.another('express')
    try {
      const elsewhere = second.clientOf(adam)

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? adam : elsewhere).post('/register', minimal),
        ),
      )

      assert.ok(answers.every(({ status }) => status === 200))
      assert.equal((await stored(at, adam)).length, maxQueues)
    } finally {
      await second.stop()
    }
  })
})

everyDatabase('Lifespans of the queues of guests', 'express', (at) => {
  it('are at most one day, also for users who have become guests', async () => {
    const { gus, alice, olga, bob } = at.people
    const week = { ...minimal, queue_lifespan_secs: 604_800 }
    const ofGuest = (await gus.post('/register', week)).body.queue_id
    const ofLaterGuest = (await bob.post('/register', week)).body.queue_id
    const ofMember = await registered(at, { queue_lifespan_secs: 604_800 })
    await olga.patch(`/users/${bob.id}`, { role: 600 })

    await sweepAfter(at.clock, 86_000)
    const early = await isAlive(gus, ofGuest)
    await sweepAfter(at.clock, 86_400 + 300)

    assert.ok(early)
    assert.equal(await isAlive(gus, ofGuest), false)
    assert.equal(await isAlive(bob, ofLaterGuest), false)
    assert.ok(await isAlive(alice, ofMember.queueId))
  })
})
