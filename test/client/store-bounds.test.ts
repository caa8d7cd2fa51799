import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Events } from '@parley/client'

import { LiveStore } from '../../packages/client/src/store/live-store.js'
import { storeRegistration } from '../../packages/client/src/store/registered.js'
import { everyDatabase } from '../support/host.js'
import { chatClientOf } from './chat-client.js'
import { Page } from './page.js'

const maxListed = 10_000

everyDatabase(
  'the memory of a store',
  'express',
  (at) => {
    it('is bounded: old messages are forgotten, first those in no list', async () => {
      const { alice, bob } = at.people
      const { general, design } = at.channels
      const { api } = chatClientOf(bob)
      const errors: unknown[] = []
      const { environment } = new Page()
      const store = new LiveStore({ api, environment, onError: (error) => errors.push(error) })
      const registration = await api.registerQueue(storeRegistration)
      store.registered(registration)
      const id = await alice.say(general, 'many', 'one')
      const { events } = await api.getEvents({
        queue_id: registration.queue_id ?? '',
        last_event_id: registration.last_event_id ?? -1,
      })
      const sent = events.find((event): event is Events.MessageEvent => event.type === 'message')
      assert.ok(sent)
      const list = store.list([{ operator: 'channel', operand: general }], {})
      await list.load('newest')
      /** As if this message had been sent many times. */
      const copies = (from: number, count: number, stream_id: number): Events.MessageEvent[] =>
        Array.from({ length: count }, (_, index) => ({
          ...sent,
          message: { ...sent.message, id: from + index, stream_id },
        }))
      for (let from = id + 1; from < id + 4000; from += 100) {
        store.received(copies(from, 100, design))
      }
      assert.deepEqual(
        list.state.messages.map((message) => message.id),
        [id],
      )
      assert.ok(store.state.messages.has(id))
      assert.ok(store.state.messages.size <= 2101, `${store.state.messages.size}`)
      assert.ok(store.state.messages.has(id + 4000))
      const more = maxListed + 400
      for (let from = id + 5000; from < id + 5000 + more; from += 200) {
        store.received(copies(from, 200, general))
      }
      assert.equal(list.state.messages.length, maxListed)
      assert.equal(list.state.messages.at(-1)?.id, id + 5000 + more - 1)
      assert.deepEqual([list.state.haveOldest, list.state.haveNewest], [false, true])
      assert.ok(store.state.messages.size <= maxListed + 2200, `${store.state.messages.size}`)
      assert.equal(store.state.unread.channels.get(general)?.count, more)
      list.close()
      store.received(copies(id + 50_000, 3000, design))
      assert.ok(store.state.messages.size <= 3000, `${store.state.messages.size}`)
      assert.deepEqual(errors, [])
    })
  },
  { resolveOrganization: undefined } as never,
)
