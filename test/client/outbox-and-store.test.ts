import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'

everyDatabase(
  'the outbox and the store of a client',
  'express',
  (at) => {
    it('have a message once whenever a listener is called', async () => {
      const client = chatClientOf(at.people.alice)
      const content = 'once'
      /** How often the message is shown. */
      const counts: number[] = []
      const count = (): void => {
        const stored = [...client.store.state.messages.values()]
        const all = [...stored, ...client.outbox.messages]
        counts.push(all.filter((message) => message.content.includes(content)).length)
      }
      try {
        client.open()
        await until('the registration', () => client.store.state.isRegistered)
        client.store.subscribe((state) => state.messages, count)
        client.outbox.subscribe(count)
        client.outbox.send({ to: { channel: at.channels.general, topic: 'x' }, content })
        await until('the message', () => client.store.state.messages.size === 1)
        await until('an empty outbox', () => client.outbox.messages.length === 0)
      } finally {
        await client.close()
      }
      // It was shown at first, and changed at least when its event arrived.
      assert.ok(counts.length > 1)
      assert.ok(
        counts.every((shown) => shown === 1),
        counts.join(),
      )
    })
  },
  { resolveOrganization: undefined } as never,
)
