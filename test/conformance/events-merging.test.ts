import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import type { FedEvent } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

type Change = readonly [op: string, flag: string, messages: readonly number[]]

const mark = async (client: Client, op: string, flag: string, ...messages: number[]) => {
  const answer = await client.post('/messages/flags', { messages, op, flag })
  assert.equal(answer.status, 200, answer.text)
}

const changes = (events: readonly FedEvent[]): Change[] =>
  events
    .filter(({ type }) => type === 'update_message_flags')
    .map((event) => [event['op'], event['flag'], event['messages']] as const)

everyHost('get-events', (at) => {
  const threeMessages = async () => {
    const { alice, bob } = at.people
    const ids: number[] = []
    for (const text of ['one', 'two', 'three']) ids.push(await alice.whisper([bob], text))
    return ids as [number, number, number]
  }

  it('merges pending changes of one flag into one event, with the id and position of the newest', async () => {
    const { alice, bob } = at.people
    const [first, second, third] = await threeMessages()
    const [merged, single] = [await bob.listen(), await bob.listen()]
    await mark(bob, 'add', 'starred', first)
    const [own] = await single.poll()
    await mark(bob, 'add', 'collapsed', first)
    await alice.whisper([bob], 'between')
    await mark(bob, 'add', 'starred', second, third)

    const events = await merged.poll()

    const singles = await single.poll()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['update_message_flags', 'message', 'update_message_flags'],
    )
    assert.deepEqual(changes(events), [
      ['add', 'collapsed', [first]],
      ['add', 'starred', [first, second, third]],
    ])
    assert.deepEqual(changes([own as FedEvent, ...singles]), [
      ['add', 'starred', [first]],
      ['add', 'collapsed', [first]],
      ['add', 'starred', [second, third]],
    ])
    assert.equal(events.at(-1)?.id, singles.at(-1)?.id)
  })

  it('does not change events that it has already returned', async () => {
    const { bob } = at.people
    const [first, second, third] = await threeMessages()
    const { queueId, lastEventId } = await bob.listen()
    const poll = async () => {
      const params = { queue_id: queueId, last_event_id: lastEventId }
      return (await bob.get('/events', params)).body.events as FedEvent[]
    }
    await mark(bob, 'add', 'collapsed', first)
    await mark(bob, 'add', 'starred', first)
    const once = await poll()
    await mark(bob, 'add', 'starred', second)
    const twice = await poll()
    await mark(bob, 'add', 'starred', third)
    const thrice = await poll()

    assert.deepEqual(changes(thrice), [
      ['add', 'collapsed', [first]],
      ['add', 'starred', [first]],
      ['add', 'starred', [second]],
      ['add', 'starred', [third]],
    ])
    assert.deepEqual(once, thrice.slice(0, 2))
    assert.deepEqual(twice, thrice.slice(0, 3))
  })

  it('does not merge removals of read and "all messages", and keeps the order of changes of one flag', async () => {
    const { bob } = at.people
    const [first, second, third] = await threeMessages()
    const feed = await bob.listen()
    await mark(bob, 'add', 'read', first)
    await mark(bob, 'add', 'read', second)
    await mark(bob, 'remove', 'read', first)
    await mark(bob, 'remove', 'read', second)
    await mark(bob, 'add', 'read', second)
    await bob.post('/mark_all_as_read')
    await mark(bob, 'remove', 'read', third)
    await mark(bob, 'add', 'starred', first, second, third)
    await mark(bob, 'remove', 'starred', first)
    await mark(bob, 'remove', 'starred', second)
    await mark(bob, 'add', 'starred', first)

    const events = await feed.poll()

    assert.deepEqual(changes(events).slice(0, 4), [
      ['add', 'read', [first, second]],
      ['remove', 'read', [first]],
      ['remove', 'read', [second]],
      ['add', 'read', [second]],
    ])
    const rest = changes(events).slice(4)
    assert.deepEqual(rest.slice(-4), [
      ['remove', 'read', [third]],
      ['add', 'starred', [first, second, third]],
      ['remove', 'starred', [first, second]],
      ['add', 'starred', [first]],
    ])
    assert.ok(rest.slice(0, -4).every(([op, flag]) => op === 'add' && flag === 'read'))
    assert.ok(rest.length > 4)
  })
})
