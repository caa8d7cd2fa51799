import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { park, sweepAlone } from '../support/event-calls.js'
import type { FedEvent } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { contents, registered } from '../support/message-queues.js'
import { refusedUpgrade, SocketClient } from '../support/socket-client.js'

everyHost('get-events', (at) => {
  it('opens a WebSocket that sends the same events with the same ids as a poll', async () => {
    const { alice, bob } = at.people
    const queue = await registered(bob)
    await alice.whisper([bob], 'one **bold**')
    await alice.whisper([bob], 'two')
    const polled = await bob.get('/events', queue)

    const socket = await SocketClient.open(bob, queue)
    const first = await socket.first()
    const frame = await socket.frame()

    const { queue_id } = queue
    assert.deepEqual(first, { queue_id, last_event_id: queue.last_event_id })
    assert.deepEqual(frame, { events: polled.body.events })
    await socket.close()
  })

  it('registers a queue from the parameters of POST /register', async () => {
    const { alice, bob } = at.people

    const socket = await SocketClient.open(bob, { event_types: ['message'], apply_markdown: true })
    await alice.whisper([bob], '**bold**')
    const { queue_id } = await socket.first()
    const { events } = await socket.frame()

    assert.deepEqual(contents(events), ['<p><strong>bold</strong></p>'])
    await socket.close()
    const polled = await bob.get('/events', { queue_id, last_event_id: -1 })
    assert.deepEqual(polled.body.events, events)
  })

  it('sends the same bytes to all who get the same, whatever else they get', async () => {
    const { alice, bob, carol } = at.people
    const open = async (client: Client) => SocketClient.open(client, await registered(client))
    const bobs = [await open(bob), await open(bob)]
    const carols = await open(carol)
    const text = 'grüße '.repeat(100)

    await Promise.all([
      alice.whisper([bob, carol], text),
      alice.whisper([bob], 'short'),
      bob.whisper([alice, carol], 'x'.repeat(9000).concat(' end')),
    ])

    const [one, other] = await Promise.all(bobs.map((socket) => socket.events(3)))
    const hers = await carols.events(2)
    assert.deepEqual(one, other)
    assert.deepEqual(
      hers,
      one?.filter(({ message }) => message.content !== 'short'),
    )
    await Promise.all([...bobs, carols].map((socket) => socket.close()))
  })

  it('has a version, which clients can require', async () => {
    const { bob } = at.people

    const socket = await SocketClient.open(bob, { socket_version: 1 })
    const refused = await refusedUpgrade(bob, { socket_version: 2 })

    await socket.close()
    assert.deepEqual([refused.status, refused.body.code], [400, 'BAD_REQUEST'])
    assert.equal(refused.body.msg, 'socket_version must be 1')
  })

  it('sends events between two frames in the next one, each once and in order', async () => {
    const { alice, bob, carol } = at.people
    const socket = await SocketClient.open(bob, await registered(bob))
    const sent = ['first', 'second', 'third']

    await alice.whisper([bob], 'first')
    const [first] = await socket.events(1)
    await Promise.all([alice.whisper([bob], 'second'), carol.whisper([carol], 'not his')])
    await alice.whisper([bob], 'third')
    const rest = await socket.events(2)

    assert.deepEqual(contents([first as FedEvent, ...rest]), sent)
    const ids = [first, ...rest].map((event) => event?.id ?? 0)
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    )
    await socket.close()
  })

  it('continues after the events that the client acknowledged, not after those that were sent', async () => {
    const { alice, bob } = at.people
    const { queue_id, last_event_id } = await registered(bob)
    const first = await SocketClient.open(bob, { queue_id, last_event_id })
    for (const text of ['one', 'two', 'three']) await alice.whisper([bob], text)
    const events = await first.events(3)
    first.acknowledge(events[0]?.id ?? 0)
    await first.close()

    const second = await SocketClient.open(bob, { queue_id })
    const again = await second.events(2)

    assert.deepEqual(again, events.slice(1))
    await second.close()
  })

  it('closes the connection for a frame that does not acknowledge an event that was sent', async () => {
    const { bob } = at.people
    const frames = [
      'no JSON',
      'null',
      '{}',
      '[]',
      '{"last_event_id":"1"}',
      '{"last_event_id":1.5}',
      '{"last_event_id":9007199254740991}',
    ]

    for (const text of frames) {
      const socket = await SocketClient.open(bob, await registered(bob))
      socket.socket.send(text)
      const { code } = await socket.closing
      assert.equal(code, 1008, text)
    }
  })

  it('closes the connection of a client that acknowledges the same again and again', async () => {
    const { bob, alice } = at.people
    const socket = await SocketClient.open(bob, await registered(bob))
    for (let round = 0; round < 2; round += 1) {
      await alice.whisper([bob], 'Hello')
      const [event] = await socket.events(1)
      for (let count = 0; count < 100; count += 1) socket.acknowledge(event?.id ?? 0)
    }
    await alice.whisper([bob], 'Still open')
    const [last] = await socket.events(1)
    for (let count = 0; count < 101; count += 1) socket.acknowledge(last?.id ?? 0)

    assert.equal((await socket.closing).code, 1008)
  })

  it('closes the connection for a frame of 10 MB without reading it', async () => {
    const { bob } = at.people
    const socket = await SocketClient.open(bob, await registered(bob))

    socket.socket.send('x'.repeat(10_000_000))

    assert.equal((await socket.closing).code, 1009)
  })

  it('refuses invalid credentials and parameters before the upgrade, like a poll', async () => {
    const { alice, bob, dora } = at.people
    const { queue_id } = await registered(alice)
    const refusals = [
      [at.nobody, {}, 401, 'UNAUTHORIZED'],
      [dora, {}, 401, 'USER_DEACTIVATED'],
      [bob, { queue_id }, 400, 'BAD_EVENT_QUEUE_ID'],
      [bob, { queue_id: 'x' }, 400, 'BAD_EVENT_QUEUE_ID'],
      [alice, { queue_id, last_event_id: 1e12 }, 400, 'BAD_EVENT_QUEUE_ID'],
      [alice, { queue_id, last_event_id: -2 }, 400, 'BAD_REQUEST'],
      [alice, { queue_id, last_event_id: 'x' }, 400, 'BAD_REQUEST'],
      [alice, { narrow: [['near', '1']] }, 400, 'BAD_REQUEST'],
      [at.people.gus, { all_public_streams: true }, 400, 'BAD_REQUEST'],
    ] as const

    for (const [client, params, status, code] of refusals) {
      const refused = await refusedUpgrade(client, params)
      const answered = await client.get('/events', { ...params, dont_block: true })

      assert.equal(refused.status, status)
      assert.equal(refused.body.code, code)
      assert.deepEqual(refused.body, answered.body)
      assert.equal(refused.headers['www-authenticate'], answered.headers['www-authenticate'])
    }
    const wrongKey = { authorization: `Basic ${btoa(`${bob.email}:${'x'.repeat(32)}`)}` }
    const refused = await refusedUpgrade(at.nobody, {}, wrongKey)
    assert.equal(refused.body.code, 'INVALID_API_KEY')
  })

  it('accepts a ticket once, for browsers, which cannot send credentials', async () => {
    const { alice, bob } = at.people
    const { body } = await bob.post('/events/ticket')
    const params = { ticket: body.ticket, event_types: ['message'] }

    const socket = await SocketClient.open(at.nobody, params)
    await alice.whisper([bob], 'by ticket')

    assert.deepEqual(contents(await socket.events(1)), ['by ticket'])
    const again = await refusedUpgrade(at.nobody, params)
    assert.equal(again.status, 401)
    await socket.close()
  })

  it('refuses a ticket after half a minute, and one of another organization', async () => {
    const [late, foreign] = [
      (await at.people.bob.post('/events/ticket')).body.ticket,
      (await (await at.host.organization()).people.bob.post('/events/ticket')).body.ticket,
    ]

    const elsewhere = await refusedUpgrade(at.nobody, { ticket: foreign })
    at.clock.jump(31)
    const tooLate = await refusedUpgrade(at.nobody, { ticket: late })

    assert.equal(elsewhere.status, 401)
    assert.equal(tooLate.status, 401)
  })

  it('closes an earlier connection with code 4002 when a later one opens', async () => {
    const { alice, bob } = at.people
    const queue = await registered(bob)

    const earlier = await SocketClient.open(bob, queue)
    const later = await SocketClient.open(bob, queue)
    const { code } = await earlier.closing
    await alice.whisper([bob], 'for the later one')

    assert.equal(code, 4002)
    assert.deepEqual(contents(await later.events(1)), ['for the later one'])
    await later.close()
  })

  it('ends a WebSocket when a poll arrives, and a poll when a WebSocket opens', async () => {
    const { alice, bob } = at.people
    const queue = await registered(bob)

    const socket = await SocketClient.open(bob, queue)
    const poll = await park(bob, at.clock, queue)
    const { code } = await socket.closing
    const again = await SocketClient.open(bob, queue)
    const { body } = await poll.answer
    await alice.whisper([bob], 'still in order')

    assert.equal(code, 4002)
    assert.deepEqual(body.events, [])
    assert.deepEqual(contents(await again.events(1)), ['still in order'])
    await again.close()
  })

  it('closes with code 4001 when the queue is deleted', async () => {
    const { bob } = at.people
    const queue = await registered(bob)
    const socket = await SocketClient.open(bob, queue)

    await bob.delete('/events', { queue_id: queue.queue_id })

    assert.equal((await socket.closing).code, 4001)
  })

  it('sends heartbeats without events, each with a new id, also right after events', async () => {
    const { alice, bob } = at.people
    const { queue_id, last_event_id } = await registered(bob)
    const isPlanned = at.clock.next('set', 45, 55)
    const socket = await SocketClient.open(bob, { queue_id, last_event_id })
    await isPlanned
    const ids = [last_event_id]

    for (const text of ['one', 'two']) {
      for (let beat = 0; beat < 2; beat += 1) {
        at.clock.advance(55)
        const { events } = await socket.frame()
        await socket.settle()
        assert.deepEqual(
          events.map(({ type }) => type),
          ['heartbeat'],
        )
        ids.push(events[0]?.id ?? 0)
      }
      await alice.whisper([bob], text)
      const events = await socket.events(1)
      assert.deepEqual(contents(events), [text])
      ids.push(events[0]?.id ?? 0)
    }

    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    )
    await socket.close()
  })

  it('keeps its queue while the connection is open', async () => {
    const { alice, bob } = at.people
    const socket = await SocketClient.open(bob, await registered(bob))
    // An event shows that the connection is established.
    await alice.whisper([bob], 'first')
    await socket.frame()

    await sweepAlone(at.clock, 3600)
    await alice.whisper([bob], 'second')

    assert.deepEqual(contents(await socket.events(1)), ['second'])
    await socket.close()
  })

  it('keeps a queue whose connection was lost, with the events in the meantime', async () => {
    const { alice, bob } = at.people
    const { queue_id, last_event_id } = await registered(bob)
    const socket = await SocketClient.open(bob, { queue_id, last_event_id })
    await alice.whisper([bob], 'seen')
    const [seen] = await socket.events(1)

    socket.socket.terminate()
    await socket.closing
    await alice.whisper([bob], 'missed')
    const again = await SocketClient.open(bob, { queue_id, last_event_id: seen?.id })

    assert.deepEqual(contents(await again.events(1)), ['missed'])
    await again.close()
  })
})

everyHost('get-events', (at) => {
  it('closes the WebSockets of a deactivated account with code 4003, and no others', async () => {
    const { adam, alice, carol } = at.people
    const [closed, kept] = [
      await SocketClient.open(carol, await registered(carol)),
      await SocketClient.open(alice, await registered(alice)),
    ]

    await adam.delete(`/users/${carol.id}`)
    const { code } = await closed.closing
    const refused = await refusedUpgrade(carol)
    await adam.whisper([alice], 'still served')

    assert.equal(code, 4003)
    assert.equal(refused.body.code, 'USER_DEACTIVATED')
    assert.deepEqual(contents(await kept.events(1)), ['still served'])
    await kept.close()
  })
})

everyHost('get-events', (at) => {
  it('sends a backlog of 1,000 events in pages over a WebSocket, in order and exactly once', async () => {
    const { alice, bob } = at.people
    const queue = await registered(bob)
    const { api } = at.host.chat.as({ userId: alice.id, organization: at.subdomain })
    const text = 'x'.repeat(2500)
    const total = 1000

    const ids: number[] = []
    for (let start = 0; start < total; start += 50) {
      const batch = Array.from({ length: 50 }, async (_, index) =>
        api.sendMessage({ type: 'direct', to: [bob.id], content: `${start + index} ${text}` }),
      )
      for (const { id } of await Promise.all(batch)) ids.push(id)
    }
    const socket = await SocketClient.open(bob, queue)
    const events = await socket.events(total)

    const eventIds = events.map(({ id }) => id)
    assert.deepEqual(
      eventIds,
      [...new Set(eventIds)].sort((a, b) => a - b),
    )
    assert.deepEqual(new Set(events.map((event) => event['message'].id)), new Set(ids))
    assert.equal(events.length, total)
    await socket.close()
  })
})
