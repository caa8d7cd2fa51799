import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { ChatClient } from '@parley/client'

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

    it('have the same in two tabs, of which each has its own queue', async () => {
      const { alice } = at.people
      const tabs = [chatClientOf(alice), chatClientOf(alice)]
      const topic = 'tabs'
      const to = { channel: at.channels.general, topic }
      const contentsIn = ({ store }: ChatClient): readonly string[] =>
        [...store.state.messages.values()]
          .filter(({ subject }) => subject === topic)
          .map(({ content }) => content)
      try {
        for (const tab of tabs) tab.open()
        await until('the connections', () =>
          tabs.every(({ store }) => store.state.connection.kind === 'connected'),
        )
        for (const [index, tab] of tabs.entries()) {
          tab.outbox.send({ to, content: `of tab ${index}` })
          await until('the message in both', () =>
            tabs.every((one) => contentsIn(one).length === index + 1),
          )
        }
        const [first, second] = tabs.map(({ store }) => store.state)
        assert.deepEqual(second, first)

        await tabs[0]?.close()
        await alice.say(at.channels.general, topic, 'for the other one')
        await until('the message', () => tabs.some((one) => contentsIn(one).length === 3))
        assert.deepEqual(
          tabs.map((one) => contentsIn(one).length),
          [2, 3],
        )
        assert.equal(tabs[1]?.store.state.connection.kind, 'connected')
      } finally {
        await Promise.all(tabs.map((tab) => tab.close()))
      }
    })
  },
  { resolveOrganization: undefined } as never,
)
