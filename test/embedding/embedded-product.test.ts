import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import { WebSocket } from 'ws'

import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { ServerProcess } from '../faults/server-process.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { until, within } from '../support/waiting.js'

interface Reply {
  readonly status: number
  readonly body: UncheckedJson
  readonly cookie: string
}

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`examples/embedded-product (${column.name})`, () => {
    let database: TestDatabase
    let server: ServerProcess

    const call = async (
      method: string,
      path: string,
      cookie: string,
      fields?: Record<string, string>,
    ): Promise<Reply> => {
      const response = await fetch(server.origin + path, {
        method,
        headers: { cookie, origin: server.origin },
        ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
      })
      const [sent = ''] = response.headers.getSetCookie()
      return {
        status: response.status,
        body: await response.json(),
        cookie: sent.split(';')[0] ?? '',
      }
    }
    const login = async (name: string): Promise<string> => {
      const fields = { email: `${name}@shop.example`, password: `correct horse ${name}` }
      return (await call('POST', '/login', '', fields)).cookie
    }

    before(async () => {
      database = await column.create()
      const url = database.url.replace(/^sqlite:/, '')
      server = new ServerProcess('embedded-product', ['--database', url])
      await server.start()
    })
    after(async () => {
      await server.kill()
      await database.drop()
    })

    it("gives access only to the application's users", async () => {
      const ben = await login('ben')

      const me = await call('GET', '/chat/api/v1/users/me', ben)
      const unauthorized = await call('GET', '/chat/api/v1/users/me', 'session=guessed')
      const fields = { email: 'ben@shop.example', password: 'wrong' }
      const wrong = await call('POST', '/login', '', fields)

      assert.equal(me.body.full_name, 'Ben Okri')
      assert.equal(unauthorized.status, 401)
      assert.equal(wrong.status, 401)
      assert.equal(wrong.cookie, '')
    })

    it("signs a device in through the application's login page", async () => {
      const browse = (path: string, cookie: string, fields?: Record<string, string>) =>
        fetch(server.origin + path, {
          method: fields === undefined ? 'GET' : 'POST',
          headers: { cookie, referer: `${server.origin}/` },
          redirect: 'manual',
          ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
        })
      const start = `/chat/api/v1/sign_on?mobile_flow_otp=${'0'.repeat(64)}`

      const away = await browse(start, '')
      const form = await (await browse(away.headers.get('location') ?? '', '')).text()
      const account = { email: 'ada@shop.example', password: 'correct horse ada' }
      const back = await browse('/login', '', { ...account, next: start })
      const cookie = back.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const done = await browse(back.headers.get('location') ?? '', cookie)
      const lured = await browse('/login', '', { ...account, next: '//evil.example/' })

      assert.ok(form.includes(`value="${start}"`))
      assert.deepEqual([back.status, back.headers.get('location')], [303, start])
      assert.match(done.headers.get('location') ?? '', /^zulip:\/\/login\?realm=http/)
      assert.deepEqual([lured.status, lured.headers.get('location')], [200, null])
    })

    it('opens a channel for an order, in the transaction that stores it', async () => {
      const [ada, ben, cora] = [await login('ada'), await login('ben'), await login('cora')]
      const queue = await call('POST', '/chat/api/v1/register', ada, { event_types: '["message"]' })
      const order = await call('POST', '/orders', ben, { item: 'tea', quantity: '2' })
      const messages: { id: number; stream_id: number; [key: string]: unknown }[] = []
      let lastEventId = -1
      while (messages.length < 1) {
        const place = `queue_id=${queue.body.queue_id}&last_event_id=${lastEventId}`
        const { body } = await call('GET', `/chat/api/v1/events?${place}`, ada)
        lastEventId = body.events.at(-1).id
        messages.push(...body.events.flatMap((event: { message?: object }) => event.message ?? []))
      }
      const channelsOf = async (cookie: string): Promise<string[]> => {
        const answer = await call('GET', '/chat/api/v1/users/me/subscriptions', cookie)
        return answer.body.subscriptions.map(({ name }: { name: string }) => name).sort()
      }
      const [adas, bens, coras] = [
        await channelsOf(ada),
        await channelsOf(ben),
        await channelsOf(cora),
      ]

      assert.equal(order.status, 201)
      const { orderId, channelId, messageId } = order.body
      const message = messages.at(-1)
      assert.deepEqual([message?.id, message?.stream_id], [messageId, channelId])
      assert.equal(message?.content, '2 × tea')
      assert.equal(message?.sender_full_name, 'Ben Okri')
      const name = `Order ${orderId}`
      assert.deepEqual([adas, bens, coras], [[name, 'shop floor'], [name], []])
    })

    it('counts the messages about an order with a durable consumer', async () => {
      const [ada, cora] = [await login('ada'), await login('cora')]
      const { body: order } = await call('POST', '/orders', cora, { item: 'mugs' })
      const counted = async (): Promise<number> => {
        const { body } = await call('GET', '/orders', cora)
        return body.orders.find(({ id }: { id: number }) => id === order.orderId).messages
      }

      await until('the order', async () => (await counted()) === 1)
      const answer = { type: 'channel', to: String(order.channelId), topic: 'order' }
      await call('POST', '/chat/api/v1/messages', ada, { ...answer, content: 'On its way.' })

      await until('the answer', async () => (await counted()) === 2)
    })

    it('stores no order and opens no channel if a text is refused', async () => {
      const ada = await login('ada')
      const counts = async (): Promise<number[]> => {
        const orders = await call('GET', '/orders', ada)
        const channels = await call('GET', '/chat/api/v1/streams', ada)
        return [orders.body.orders.length, channels.body.streams.length]
      }
      const before = await counts()

      const refused = await call('POST', '/orders', ada, { item: 'card 4111 1111 1111 1111' })

      assert.equal(refused.status, 400)
      assert.match(refused.body.error, /number of a card/)
      assert.deepEqual(await counts(), before)
    })

    it('owns names and channels: they change in the shop only', async () => {
      const cora = await login('cora')

      const renamed = await call('POST', '/account', cora, { full_name: 'Cora Lindt' })
      const { body } = await call('GET', '/chat/api/v1/users/me', cora)
      const subscription = { subscriptions: '[{"name":"mine"}]' }
      const channel = await call('POST', '/chat/api/v1/users/me/subscriptions', cora, subscription)

      assert.equal(renamed.status, 200)
      assert.deepEqual([body.full_name, body.is_guest], ['Cora Lindt', true])
      assert.deepEqual([channel.status, channel.body.code], [400, 'UNAUTHORIZED_PRINCIPAL'])
    })

    it('ends the WebSockets of a user who logs out', async () => {
      const ben = await login('ben')
      const { body } = await call('POST', '/chat/api/v1/register', ben, {})
      const path = `/chat/api/v1/events?queue_id=${body.queue_id}&last_event_id=-1`
      const socket = new WebSocket(server.origin.replace('http', 'ws') + path, {
        headers: { cookie: ben, origin: server.origin },
      })
      await within('the socket', once(socket, 'open'))
      const closed = within('the end of the socket', once(socket, 'close'))

      await call('POST', '/logout', ben)

      assert.equal((await closed)[0], 4003)
    })

    it('requires a session and an item', async () => {
      const ada = await login('ada')

      const anonymous = await call('POST', '/orders', '', { item: 'tea' })
      const empty = await call('POST', '/orders', ada, { quantity: '1' })
      await call('POST', '/logout', ada)
      const late = await call('GET', '/chat/api/v1/users/me', ada)

      assert.equal(anonymous.status, 401)
      assert.equal(empty.status, 400)
      assert.equal(late.status, 401)
    })
  })
}
