import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex from 'knex'

import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { ServerProcess } from '../faults/server-process.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

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

      const me = await call('GET', '/api/v1/users/me', ben)
      const unauthorized = await call('GET', '/api/v1/users/me', 'session=guessed')
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
      const start = `/api/v1/sign_on?mobile_flow_otp=${'0'.repeat(64)}`

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

    it('posts an order in the chat, in the transaction that stores it', async () => {
      const [ada, ben] = [await login('ada'), await login('ben')]
      const params = new URLSearchParams({ event_types: '["message"]' })
      const queue = await call('POST', '/api/v1/register', ada, Object.fromEntries(params))
      const place = `queue_id=${queue.body.queue_id}&last_event_id=-1`

      const order = await call('POST', '/orders', ben, { item: 'tea', quantity: '2' })
      const { body } = await call('GET', `/api/v1/events?${place}`, ada)

      assert.equal(order.status, 201)
      const [event] = body.events
      assert.equal(event.message.id, order.body.messageId)
      assert.equal(event.message.content, `Order ${order.body.orderId}: 2 × tea`)
      assert.equal(event.message.sender_full_name, 'Ben Okri')
      assert.equal(event.message.display_recipient, 'orders')
    })

    it('stores no order if the chat rejects the message', async () => {
      const ada = await login('ada')
      const knex = createKnex(database.config)
      await knex('chat_channels').where({ name: 'orders' }).update({ is_archived: true })
      const before = (await call('GET', '/orders', ada)).body.orders.length

      const refused = await call('POST', '/orders', ada, { item: 'coffee' })
      const after = (await call('GET', '/orders', ada)).body.orders.length
      await knex('chat_channels').where({ name: 'orders' }).update({ is_archived: false })
      await knex.destroy()

      assert.equal(refused.status, 400)
      assert.equal(after, before)
    })

    it('requires a session and an item', async () => {
      const ada = await login('ada')

      const anonymous = await call('POST', '/orders', '', { item: 'tea' })
      const empty = await call('POST', '/orders', ada, { quantity: '1' })
      await call('POST', '/logout', ada)
      const late = await call('GET', '/api/v1/users/me', ada)

      assert.equal(anonymous.status, 401)
      assert.equal(empty.status, 400)
      assert.equal(late.status, 401)
    })
  })
}
