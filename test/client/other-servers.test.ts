import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, it } from 'node:test'

import { topicKey, type ChatClient } from '@parley/client'

import { apiLevelOperations } from '../architecture/api-level-operations.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'

const patterns = apiLevelOperations.map((operation) => {
  const path = operation.replace(' ', ' /api/v1').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${path}$`)
})
/** The calls of operations that only Parley has. */
const refused: string[] = []

/** Lets the server seem to be one that has the documented API alone. */
function front(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
  const path = (request.url ?? '').replace(/\?.*/, '')
  const call = `${request.method} ${path}`
  if (!path.startsWith('/api/v1/') || patterns.some((pattern) => pattern.test(call))) {
    return undefined
  }
  refused.push(call)
  request.resume()
  response.writeHead(404, { 'Content-Type': 'application/json' })
  response.end('{"result":"error","msg":"Not Found","code":"BAD_REQUEST"}')
  // The chat is never asked.
  return new Promise(() => {})
}

everyDatabase(
  'a client of a server that has only the operations of the API level',
  'express',
  (at) => {
    let client: ChatClient
    afterEach(() => client.close())

    it('works by long polls', async () => {
      const { alice, bob } = at.people
      const { general } = at.channels
      let queueId = ''
      client = chatClientOf(bob, {
        fetch: async (address, init) => {
          const response = await fetch(address, init)
          if (response.url.endsWith('/register')) {
            queueId = ((await response.clone().json()) as { queue_id: string }).queue_id
          }
          return response
        },
      })
      const { store } = client
      client.open()
      client.active()
      await until('the connection', () => store.state.connection.kind === 'connected')
      assert.deepEqual(store.state.connection, { kind: 'connected', by: 'poll' })

      const to = { channel: general, topic: 'elsewhere' }
      const list = client.messages([
        { operator: 'channel', operand: general },
        { operator: 'topic', operand: to.topic },
      ])
      await list.load('newest')
      const { url } = await client.upload({ name: 'x.txt', content: new Blob(['x']) })
      client.typing(to)
      client.outbox.send({ to, content: `[x](${url})` })
      await until('an empty outbox', () => client.outbox.messages.length === 0)
      await until('the own message', () => list.state.messages.length === 1)

      const id = await alice.say(general, to.topic, '@**Bob Test**')
      await until('the message', () => store.state.unread.mentions.includes(id))
      await alice.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
      await until('the reaction', () => list.state.messages[1]?.reactions.length === 1)
      await alice.post('/typing', { type: 'channel', stream_id: general, topic: 'x', op: 'start' })
      await until('the sign', () => store.state.typing.has(topicKey(general, 'x')))
      await client.api.updateMessageFlags({ messages: [id], op: 'add', flag: 'read' })
      await until('the flag', () => store.state.unread.mentions.length === 0)

      await bob.delete('/events', { queue_id: queueId })
      const last = await alice.say(general, to.topic, 'after another registration')
      await until('the last message', () => list.state.messages.at(-1)?.id === last)
      assert.equal(list.state.messages.length, 3)
      assert.deepEqual([...new Set(refused)], ['POST /api/v1/events/ticket'])
    })
  },
  { resolveOrganization: undefined, front } as never,
)
