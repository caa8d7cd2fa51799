import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import { everyHost } from '../support/host.js'
import { contents, registered, registration } from '../support/message-queues.js'
import { refusedUpgrade, SocketClient } from '../support/socket-client.js'

everyHost(
  'get-events',
  (at) => {
    const session = { cookie: 'session=ada', 'user-agent': 'Mozilla/5.0' }

    it("accepts the application's session only from its own and trusted pages", async () => {
      const { host } = new URL(at.host.origin)
      const good = [`http://${host}`, 'https://trusted.example']
      const bad = ['https://evil.example', `https://${host}`, 'null']

      for (const origin of good) {
        const socket = await SocketClient.open(at.nobody, {}, { ...session, origin })
        await socket.close()
      }
      for (const headers of [...bad.map((origin) => ({ ...session, origin })), session]) {
        const { status, body } = await refusedUpgrade(at.nobody, {}, headers)
        assert.equal(status, 403)
        assert.equal(body.code, 'CSRF_FAILED')
      }
    })

    it('does not check Origin for a client with credentials', async () => {
      const headers = { origin: 'https://evil.example' }

      const socket = await SocketClient.open(at.people.bob, {}, headers)

      await socket.close()
    })

    it('refuses a WebSocket without a session', async () => {
      const { status } = await refusedUpgrade(at.nobody)

      assert.equal(status, 401)
    })

    it('returns 500 for an unexpected error, logs it, and still accepts connections', async () => {
      const { bob } = at.people
      const knex = createKnex(at.host.databaseConfig)
      try {
        await knex.schema.renameTable('chat_event_queues', 'chat_elsewhere')
        const refused = await refusedUpgrade(bob, registration)
        await knex.schema.renameTable('chat_elsewhere', 'chat_event_queues')

        assert.equal(refused.status, 500)
        assert.deepEqual(refused.body, {
          result: 'error',
          msg: 'Internal server error',
          code: 'INTERNAL_SERVER_ERROR',
        })
        assert.match(at.host.log.join('\n'), /An operation failed/)
        const socket = await SocketClient.open(bob, registration)
        await socket.close()
      } finally {
        await knex.destroy()
      }
    })

    it('closes with code 1001 when the server drains, and refuses new connections', async () => {
      const { alice, bob } = at.people
      const queue = await registered(bob)
      const socket = await SocketClient.open(bob, queue)

      await at.host.chat.drain()
      const refused = await refusedUpgrade(bob, queue)
      await alice.whisper([bob], 'written while draining')
      const polled = await bob.get('/events', queue)
      const waiting = await bob.get('/events', {
        ...queue,
        last_event_id: polled.body.events[0].id,
      })

      assert.equal((await socket.closing).code, 1001)
      assert.equal(refused.status, 503)
      assert.equal(refused.body.code, 'SERVICE_UNAVAILABLE')
      assert.deepEqual(contents(polled.body.events), ['written while draining'])
      assert.deepEqual(waiting.body.events, [], 'returned at once')
      assert.equal((await at.host.chat.health()).isReady, false)
    })
  },
  {},
  {
    identify: ({ headers }) =>
      headers.cookie === 'session=ada'
        ? { externalId: 'ada', email: 'ada@product.example', fullName: 'Ada' }
        : null,
    trustedOrigins: ['https://trusted.example'],
  },
)
