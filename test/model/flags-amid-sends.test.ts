import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'

import type { Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost, type HostCase } from '../support/host.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

const rounds = 8
const sends = 6
const callsAmidSends = 3
/** Sends and calls begin in any order within this time. */
const spreadMilliseconds = 20

const soon = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  await setTimeout(Math.random() * spreadMilliseconds)
  return work()
}

/** The unread messages, by the registration of a client and the events since. */
class UnreadState {
  readonly ids: Set<number>
  #lastEventId: number

  private constructor(
    private readonly client: Client,
    private readonly queueId: string,
    { unread_msgs, last_event_id }: UncheckedJson,
  ) {
    this.ids = new Set(unreadIds(unread_msgs))
    this.#lastEventId = last_event_id
  }

  static async register(client: Client): Promise<UnreadState> {
    const { body, text } = await client.post('/register', {
      event_types: ['message', 'update_message_flags'],
    })
    assert.equal(body.result, 'success', text)
    return new UnreadState(client, body.queue_id, body)
  }

  /** Applies the events up to one that the test itself causes. */
  async readUntil(messageId: number): Promise<void> {
    for (;;) {
      const { body, text } = await this.client.get('/events', {
        queue_id: this.queueId,
        last_event_id: this.#lastEventId,
      })
      assert.equal(body.result, 'success', text)
      for (const event of body.events) {
        this.#lastEventId = event.id
        if (event.type === 'message') {
          if (!event.flags.includes('read')) this.ids.add(event.message.id)
          if (event.message.id === messageId) return
        } else if (event.type === 'update_message_flags' && event.flag === 'read') {
          if (event.all === true) this.ids.clear()
          for (const id of event.messages) {
            if (event.op === 'add') this.ids.delete(id)
            else this.ids.add(id)
          }
        }
      }
    }
  }
}

function unreadIds({ streams, pms, huddles }: UncheckedJson): number[] {
  return [...streams, ...pms, ...huddles].flatMap(
    ({ unread_message_ids }: { unread_message_ids: number[] }) => unread_message_ids,
  )
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`flags that change while messages arrive (${database.title})`, () => {
    const first = new TestHost('express', database)
    let second: TestHost
    let at: HostCase
    before(async () => {
      await first.start()
      second = await first.another('koa')
      at = { ...(await first.organization()), host: first, clock: first.clock }
    })
    after(async () => {
      await second.stop()
      await first.stop()
    })

    const narrow = (...terms: readonly [string, unknown][]) => ({
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow: terms.map(([operator, operand]) => ({ operator, operand })),
    })
    const read = { op: 'add', flag: 'read' }
    const calls: Readonly<Record<string, (by: Client, messageId: number) => Promise<unknown>>> = {
      'marking all messages as read': (by) => by.post('/mark_all_as_read'),
      'marking a channel as read': (by) =>
        by.post('/mark_stream_as_read', { stream_id: at.channels.design }),
      'marking a topic as read': (by) =>
        by.post('/mark_topic_as_read', { stream_id: at.channels.design, topic_name: 'news' }),
      'marking a narrow as read': (by) =>
        by.post('/messages/flags/narrow', {
          ...narrow(['channel', at.channels.design]),
          ...read,
        }),
      'marking unread messages as read': (by) =>
        by.post('/messages/flags/narrow', { ...narrow(['is', 'unread']), ...read }),
      'marking one message as read': (by, id) =>
        by.post('/messages/flags', { messages: [id], ...read }),
      'marking one message as unread': (by, id) =>
        by.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }),
      'starring a message': (by, id) =>
        by.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
      'muting and unmuting the sender': async (by) => {
        await by.post(`/users/me/muted_users/${at.people.bob.id}`)
        await by.delete(`/users/me/muted_users/${at.people.bob.id}`)
      },
      'leaving and joining the channel': async (by) => {
        await by.delete('/users/me/subscriptions', { subscriptions: ['design'] })
        await by.post('/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
      },
      'reading messages': (by) => by.get('/messages', narrow(['is', 'unread'])),
    }

    for (const [servers, elsewhere] of [
      ['one server', () => first],
      ['two servers', () => second],
    ] as const) {
      for (const [title, call] of Object.entries(calls)) {
        it(`say in events what a later registration says: ${title}, at ${servers}`, async () => {
          const { alice, bob } = at.people
          const sender = elsewhere().clientOf(bob)
          // Alice must not follow the topic: of what notifies her, a user message is written at once.
          let seen = await bob.say(at.channels.design, 'news', 'Text')
          for (let round = 0; round < rounds; round += 1) {
            const state = await UnreadState.register(alice)
            const last = seen

            await Promise.all([
              ...Array.from({ length: sends }, () =>
                soon(() => sender.say(at.channels.design, 'news', 'Text')),
              ),
              ...Array.from({ length: callsAmidSends }, () => soon(() => call(alice, last))),
            ])

            seen = await bob.say(at.channels.general, 'end', 'last')
            await state.readUntil(seen)
            const later = await UnreadState.register(alice)
            assert.deepEqual([...state.ids].sort(), [...later.ids].sort(), `round ${round}`)
          }
        })
      }
    }
  })
}
