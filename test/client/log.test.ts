import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { LogEntry } from '@parley/client'

import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'
import { CuttingProxy } from './cutting-proxy.js'

everyDatabase(
  'the log of a client',
  'express',
  (at) => {
    it('says what it has done, without what users have written', async () => {
      const { alice, bob } = at.people
      const proxy = await CuttingProxy.before(at.host.origin)
      const log: LogEntry[] = []
      const client = chatClientOf(alice, { url: proxy.origin, log: (entry) => log.push(entry) })
      try {
        client.open()
        client.outbox.send({ to: { direct: [bob.id] }, content: 'a secret' })
        client.outbox.send({
          to: { channel: at.channels.general, topic: 'secret topic' },
          content: 'secret **text**',
        })
        client.outbox.send({ to: { channel: at.unknownId, topic: 'secret' }, content: 'secret' })
        await until('the messages', () => client.outbox.messages[0]?.state === 'failed')
        await bob.say(at.channels.general, 'secret topic', 'secret answer')
        await client.api.getMessages({
          anchor: 'newest',
          num_before: 1,
          narrow: [{ operator: 'search', operand: 'secret' }],
        })
        await client.upload({ name: 'secret.txt', content: new Blob(['secret']) })
        proxy.cut()
        await until(
          'another connection',
          () =>
            log.filter((entry) => entry.kind === 'connection' && entry.state === 'connected')[1],
        )
      } finally {
        await client.close()
        await proxy.close()
      }
      const text = JSON.stringify(log)
      for (const word of ['secret', alice.email, alice.name, alice.credentials?.apiKey ?? '-']) {
        assert.equal(text.toLowerCase().includes(word.toLowerCase()), false, word)
      }
      const has = (fields: Partial<Record<string, unknown>>): boolean =>
        log.some((entry) =>
          Object.entries(fields).every(([name, value]) => Reflect.get(entry, name) === value),
        )
      for (const fields of [
        { kind: 'call', operation: 'registerQueue', status: 200 },
        { kind: 'call', operation: 'sendMessage', status: 400, code: 'STREAM_DOES_NOT_EXIST' },
        { kind: 'connection', state: 'connected', by: 'socket' },
        { kind: 'attempt', end: 'lost' },
        { kind: 'outbox', state: 'removed' },
        { kind: 'outbox', state: 'failed', code: 'STREAM_DOES_NOT_EXIST' },
        { kind: 'connection', state: 'closed' },
      ]) {
        assert.ok(has(fields), JSON.stringify(fields))
      }
      const isMessage = (entry: LogEntry): boolean =>
        entry.kind === 'events' && entry.types.includes('message')
      assert.ok(log.some(isMessage))
      assert.ok(log.every(({ atMilliseconds }) => atMilliseconds > 1e12))
    })

    it('harms nobody if it cannot be written', async () => {
      const errors: unknown[] = []
      const problem = new Error('The disk is full')
      const client = chatClientOf(at.people.alice, {
        log: () => {
          throw problem
        },
        onError: (error) => errors.push(error),
      })
      const { user_id } = await client.api.getOwnUser()
      assert.equal(user_id, at.people.alice.id)
      assert.deepEqual(errors, [problem])
    })
  },
  { resolveOrganization: undefined } as never,
)
