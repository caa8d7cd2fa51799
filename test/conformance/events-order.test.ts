import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import type { FedEvent } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { SocketClient } from '../support/socket-client.js'

const options = { event_types: ['message', 'typing', 'presence'], fetch_event_types: [] }

async function registered(client: Client): Promise<{ queue_id: string; last_event_id: number }> {
  const { body } = await client.post('/register', options)
  return { queue_id: body.queue_id, last_event_id: body.last_event_id }
}

function described({ type, op, message }: FedEvent): string {
  if (type === 'typing') return `typing ${op}`
  return type === 'message' ? (message.content as string) : type
}

function assertIncreasing(events: readonly FedEvent[]): void {
  const ids = events.map(({ id }) => id)
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
  )
}

everyHost('get-events', (at) => {
  /** Acts as Bob, one action after the other. @returns the events that Alice must receive. */
  async function act(): Promise<string[]> {
    const { alice, bob } = at.people
    const type = (op: string) => bob.post('/typing', { op, to: [alice.id] })
    await type('start')
    await bob.whisper([alice], 'one')
    await type('stop')
    await bob.post('/users/me/presence', { status: 'active' })
    // The log contains this message, but Alice receives no event.
    await bob.whisper([bob], 'to himself')
    await type('start')
    await bob.whisper([alice], 'two')
    await type('stop')
    return ['typing start', 'one', 'typing stop', 'presence', 'typing start', 'two', 'typing stop']
  }

  it('keeps the order of typing, presence and messages for a later poll', async () => {
    const { alice } = at.people
    const queue = await registered(alice)

    const expected = await act()
    const { events } = (await alice.get('/events', queue)).body as { events: FedEvent[] }
    const last_event_id = events.at(-1)?.id
    const next = await act()
    const { body } = await alice.get('/events', { ...queue, last_event_id })

    // Presence events of a user who stays active are sent only once in a while.
    const isNotPresence = ({ type }: FedEvent): boolean => type !== 'presence'
    assert.deepEqual(events.map(described), expected)
    assert.deepEqual(
      (body.events as FedEvent[]).filter(isNotPresence).map(described),
      next.filter((name) => name !== 'presence'),
    )
    assertIncreasing([...events, ...(body.events as FedEvent[])])
  })

  it('keeps the order for a poll that continues after one of the events', async () => {
    const { alice } = at.people
    const queue = await registered(alice)

    await act()
    const all = (await alice.get('/events', queue)).body.events as FedEvent[]
    const one = all.find((event) => described(event) === 'one')
    const { body } = await alice.get('/events', { ...queue, last_event_id: one?.id })

    // Events that are not in the log are delivered only once.
    assert.deepEqual((body.events as FedEvent[]).map(described), ['two'])
    assertIncreasing(body.events)
  })

  it('keeps the order over a WebSocket', async () => {
    const { alice } = at.people
    const socket = await SocketClient.open(alice, await registered(alice))

    const expected = (await act()).filter((name) => name !== 'presence')
    const events: FedEvent[] = []
    while (events.filter(({ type }) => type !== 'presence').length < expected.length) {
      events.push(...(await socket.frame()).events)
    }

    assert.deepEqual(events.filter(({ type }) => type !== 'presence').map(described), expected)
    assertIncreasing(events)
    await socket.close()
  })
})
