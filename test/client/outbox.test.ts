import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { ChatClient, ClientOptions, OutboxStorage, PendingMessage } from '@parley/client'

import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'
import { CuttingProxy } from './cutting-proxy.js'
import { contentsOf, SendingNetwork } from './sent-messages.js'

/** A storage of a page. */
function storage(): OutboxStorage & { text: string | null } {
  return {
    text: null,
    load() {
      return this.text
    },
    save(text) {
      this.text = text
    },
  }
}

const statesOf = ({ outbox }: ChatClient): readonly string[] =>
  outbox.messages.map(({ state }) => state)

everyDatabase(
  'the outbox of a client',
  'express',
  (at) => {
    const opened: ChatClient[] = []
    afterEach(async () => {
      for (const client of opened.splice(0)) await client.close()
    })

    /** An open client, and the network through which it sends. */
    function open(
      user: Client,
      options: Partial<ClientOptions> = {},
    ): { client: ChatClient; network: SendingNetwork } {
      const network = new SendingNetwork()
      const client = chatClientOf(user, { fetch: network.fetch, ...options })
      opened.push(client)
      client.open()
      return { client, network }
    }

    const empty = (client: ChatClient): Promise<unknown> =>
      until('an empty outbox', () => client.outbox.messages.length === 0, {
        instead: () => client.outbox.messages,
      })

    it('shows a message at once, until its event arrives', async () => {
      const { client, network } = open(at.people.alice)
      const to = { channel: at.channels.general, topic: 'at once' }
      network.next = 'answered late'
      const seen: string[] = []
      client.outbox.subscribe(() => seen.push(statesOf(client).join()))
      const pending = client.outbox.send({ to, content: 'hello' })
      assert.deepEqual([pending.state, pending.content, pending.to], ['waiting', 'hello', to])
      assert.deepEqual(client.outbox.messages, [pending])
      // The answer is not needed.
      await empty(client)
      network.answer()
      assert.deepEqual(seen, ['waiting', 'sending', ''])
      assert.deepEqual(await contentsOf(at.people.bob, to.channel, to.topic), ['hello'])
    })

    it('is left also by direct messages', async () => {
      const { client } = open(at.people.carol)
      client.outbox.send({ to: { direct: [at.people.bob.id] }, content: 'b' })
      client.outbox.send({ to: { direct: [at.people.carol.id] }, content: 'c' })
      await empty(client)
    })

    it('keeps the order of a conversation, and lets others go on', async () => {
      const { client, network } = open(at.people.alice)
      const slow = { channel: at.channels.general, topic: 'Slow' }
      const quick = { channel: at.channels.general, topic: 'quick' }
      network.next = 'answered late'
      client.outbox.send({ to: slow, content: '0' })
      await until('the first request', () => network.requests.length === 1)
      // Its event arrives before its answer.
      await empty(client)
      const contents = Array.from({ length: 20 }, (_, index) => String(index + 1))
      for (const content of contents) {
        client.outbox.send({ to: { ...slow, topic: ' slow' }, content })
        client.outbox.send({ to: quick, content })
      }
      await empty(client)
      network.answer()
      const { bob } = at.people
      assert.deepEqual(await contentsOf(bob, slow.channel, 'slow'), ['0', ...contents])
      assert.deepEqual(await contentsOf(bob, quick.channel, 'quick'), contents)
    })

    it('tells why a message is refused, sends the next ones, and this one when it is edited', async () => {
      const { client } = open(at.people.alice)
      const to = { channel: at.channels.general, topic: 'refused' }
      const { localId } = client.outbox.send({ to, content: ' ' })
      client.outbox.send({ to, content: 'next' })
      const failed = await until('the refusal', () =>
        client.outbox.messages.length === 1 ? client.outbox.messages[0] : undefined,
      )
      assert.equal(failed.state, 'failed')
      assert.equal(failed.error?.code, 'BAD_REQUEST')
      assert.equal(client.outbox.edit(localId, 'shorter'), true)
      assert.notEqual(statesOf(client)[0], 'failed')
      await empty(client)
      assert.deepEqual(await contentsOf(at.people.bob, to.channel, to.topic), ['next', 'shorter'])
    })

    it('can give a refused message up, or try it again', async () => {
      const { client } = open(at.people.alice)
      const to = { channel: at.unknownId, topic: 'x' }
      const { localId } = client.outbox.send({ to, content: 'x' })
      const failed = (): PendingMessage | false =>
        client.outbox.messages[0]?.state === 'failed' && client.outbox.messages[0]
      await until('the refusal', failed)
      client.outbox.retry(localId)
      assert.notEqual(statesOf(client)[0], 'failed')
      await until('another refusal', failed)
      assert.equal(client.outbox.discard(localId), true)
      assert.deepEqual(client.outbox.messages, [])
    })

    it('waits for the connection, and then sends everything at once and in order', async () => {
      const proxy = await CuttingProxy.before(at.host.origin)
      try {
        const { client } = open(at.people.alice, { url: proxy.origin })
        const to = { channel: at.channels.general, topic: 'away' }
        client.outbox.send({ to, content: '0' })
        await empty(client)
        proxy.isDown = true
        proxy.cut()
        for (const content of ['1', '2', '3']) client.outbox.send({ to, content })
        await until('an attempt', () => statesOf(client)[0] === 'waiting')
        assert.deepEqual(statesOf(client), ['waiting', 'waiting', 'waiting'])
        proxy.isDown = false
        await empty(client)
        assert.deepEqual(await contentsOf(at.people.bob, to.channel, to.topic), [
          '0',
          '1',
          '2',
          '3',
        ])
      } finally {
        for (const client of opened.splice(0)) await client.close()
        await proxy.close()
      }
    })

    it('sends a message with the same key when nobody has answered, so that it is there once', async () => {
      const { client, network } = open(at.people.alice)
      const to = { channel: at.channels.general, topic: 'unanswered' }
      network.next = 'unanswered'
      client.outbox.send({ to, content: 'once' })
      client.outbox.send({ to, content: 'then' })
      await empty(client)
      await until('the next message', () => network.requests.length >= 2)
      const topic = await contentsOf(at.people.bob, to.channel, to.topic)
      assert.deepEqual(topic, ['once', 'then'])
    })

    it('does not change a message that may have been sent', async () => {
      const { client, network } = open(at.people.alice)
      network.next = 'answered late'
      const to = { channel: at.channels.general, topic: 'unchanged' }
      const { localId } = client.outbox.send({ to, content: 'x' })
      await until('the request', () => statesOf(client)[0] === 'sending')
      assert.equal(client.outbox.edit(localId, 'y'), false)
      assert.equal(client.outbox.discard(localId), false)
      assert.equal(client.outbox.edit(localId, 'y'), false)
      network.answer()
    })

    for (const [what, loss] of [
      ['a request that is lost', 'lost'],
      ['an answer that is lost', 'unanswered'],
    ] as const) {
      it(`survives a reload of the page, and ${what}: the key stays`, async () => {
        const page = storage()
        const to = { channel: at.channels.general, topic: `reload ${loss}` }
        // The event would show that the message was sent.
        const first = open(at.people.alice, {
          storage: page,
          WebSocket: class {
            addEventListener(): void {}
            send(): void {}
            close(): void {}
          },
        })
        first.network.next = loss
        first.client.outbox.send({ to, content: 'one' })
        first.client.outbox.send({ to, content: 'two' })
        await until(
          'the loss',
          () => statesOf(first.client)[0] === 'waiting' && first.network.requests.length > 0,
        )
        await first.client.close()

        const second = open(at.people.alice, { storage: page })
        assert.deepEqual(second.client.outbox.messages, [])
        await until('the messages', () => second.network.requests.length >= 2)
        await empty(second.client)
        const [before] = first.network.requests
        assert.deepEqual(second.network.requests[0], before)
        assert.notEqual(second.network.requests[1]?.queueId, before?.queueId)
        const topic = await contentsOf(at.people.bob, to.channel, to.topic)
        assert.deepEqual(topic, ['one', 'two'])
        assert.equal(page.text?.includes('one'), false)
      })
    }

    it('keeps the key also if its client has registered anew', async () => {
      const { client, network } = open(at.people.alice)
      const to = { channel: at.channels.general, topic: 'anew' }
      client.outbox.send({ to, content: '0' })
      await empty(client)
      const queueId = network.requests[0]?.queueId
      network.next = 'lost'
      client.outbox.send({ to, content: '1' })
      await at.people.alice.delete('/events', { queue_id: queueId })
      await empty(client)
      client.outbox.send({ to, content: '2' })
      await empty(client)
      const [, lost, again, next] = network.requests
      assert.deepEqual(again, lost)
      assert.equal(lost?.queueId, queueId)
      assert.notEqual(next?.queueId, queueId)
      assert.deepEqual(await contentsOf(at.people.bob, to.channel, to.topic), ['0', '1', '2'])
    })

    it('shows and sends nothing that another user has left', async () => {
      const page = storage()
      const first = chatClientOf(at.people.alice, { storage: page })
      opened.push(first)
      first.open()
      const { localId } = first.outbox.send({
        to: { channel: at.unknownId, topic: 'x' },
        content: 'private',
      })
      await until('the refusal', () => statesOf(first)[0] === 'failed')
      await first.close()
      assert.ok(page.text?.includes('private') && page.text.includes(localId))

      const { client } = open(at.people.bob, { storage: page })
      client.outbox.send({ to: { direct: [at.people.bob.id] }, content: 'own' })
      await empty(client)
      assert.equal(page.text?.includes('private'), false)
    })

    it('survives what a listener or a storage throws', async () => {
      const errors: unknown[] = []
      const problem = new Error('no')
      const fail = (): never => {
        throw problem
      }
      const { client } = open(at.people.alice, {
        storage: { load: () => '{"version":1', save: fail },
        onError: (error) => errors.push(error),
      })
      client.outbox.subscribe(fail)
      client.outbox.send({ to: { direct: [at.people.bob.id] }, content: 'x' })
      await empty(client)
      assert.ok(errors.includes(problem))
      assert.ok(errors.some((error) => error instanceof SyntaxError))
    })

    it('takes at most 200 messages and a million characters', () => {
      const client = chatClientOf(at.people.alice)
      const to = { direct: [at.people.bob.id] }
      for (let count = 0; count < 200; count += 1) client.outbox.send({ to, content: 'x' })
      assert.throws(() => client.outbox.send({ to, content: 'x' }), RangeError)
      const other = chatClientOf(at.people.alice)
      other.outbox.send({ to, content: 'x'.repeat(999_999) })
      assert.throws(() => other.outbox.send({ to, content: 'xx' }), RangeError)
    })
  },
  { resolveOrganization: undefined } as never,
)
