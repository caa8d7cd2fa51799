import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { fetchWith, open, spectatorCalls, webPublic } from '../support/spectators.js'

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]
const notLoggedIn = [
  401,
  'UNAUTHORIZED',
  'Not logged in: API authentication or user session required',
]

for (const [operationId, call] of Object.entries(spectatorCalls)) {
  everyHost(
    operationId,
    (at) => {
      it('accepts calls by spectators', async () => {
        const messageId = await at.people.alice.say(at.channels.window, 'open', 'for all')

        assert.equal((await call(at, messageId)).status, 200)
      })

      it('requires credentials once web-public access is disabled', async () => {
        const messageId = await at.people.alice.say(at.channels.window, 'closing', 'for all')
        await at.people.olga.delete(`/streams/${at.channels.window}`)

        assert.deepEqual(refusal(await call(at, messageId)), notLoggedIn)
      })
    },
    open,
  )

  everyHost(operationId, (at) => {
    it('requires credentials by default', async () => {
      const answer = await call(at, 1)

      assert.deepEqual(refusal(answer), notLoggedIn)
      assert.match(answer.headers['www-authenticate'] ?? '', /^Basic/)
    })
  })

  everyHost(
    operationId,
    (at) => {
      it('requires credentials if the server has web-public channels disabled', async () => {
        assert.deepEqual(refusal(await call(at, 1)), notLoggedIn)
        const { body } = await at.people.alice.post('/register', { fetch_event_types: ['realm'] })
        assert.equal(body.server_web_public_streams_enabled, false)
        assert.equal(
          (await at.nobody.get('/server_settings')).body.realm_web_public_access_enabled,
          false,
        )
      })
    },
    open,
    { webPublicChannels: false },
  )
}

everyHost(
  'get-messages',
  (at) => {
    it('returns only messages of web-public channels, as read', async () => {
      const { alice } = at.people
      const shown = await alice.say(at.channels.window, 'shown', 'for all')
      await alice.say(at.channels.design, 'hidden', 'not for all')
      await alice.say(at.channels.secret, 'hidden', 'not for all')
      await alice.whisper([at.people.bob], 'not for all')

      const { body } = await fetchWith(at, [webPublic], { client_gravatar: true })

      const [message] = body.messages
      assert.deepEqual(
        body.messages.map(({ id }: { id: number }) => id),
        [shown],
      )
      assert.deepEqual(message.flags, ['read'])
      assert.equal(typeof message.avatar_url, 'string')
    })

    it('marks no messages as read', async () => {
      const id = await at.people.alice.say(at.channels.window, 'unread', 'for all')
      await at.people.alice.post('/messages/flags', { op: 'remove', flag: 'read', messages: [id] })

      await fetchWith(at, [webPublic], { anchor: 'first_unread' })

      const { body } = await at.people.alice.get(`/messages/${id}`)
      assert.ok(!body.message.flags.includes('read'))
    })

    it('uses the newest message for the anchor first_unread', async () => {
      const { body } = await fetchWith(at, [webPublic], { anchor: 'first_unread' })

      assert.equal(body.anchor, 10_000_000_000_000_000)
    })

    it('accepts narrows that do not depend on a user', async () => {
      const id = await at.people.alice.say(at.channels.window, 'narrow', 'a https://parley.example')
      const found = async (...terms: unknown[]) =>
        (await fetchWith(at, [webPublic, ...terms])).body.messages.map(
          (message: { id: number }) => message.id,
        )

      assert.deepEqual(await found({ operator: 'topic', operand: 'narrow' }), [id])
      assert.deepEqual(
        await found(
          { operator: 'channel', operand: 'window' },
          { operator: 'topic', operand: 'narrow' },
        ),
        [id],
      )
      assert.deepEqual(await found({ operator: 'id', operand: id }), [id])
      assert.ok((await found({ operator: 'in', operand: 'home' })).includes(id))
      assert.ok((await found({ operator: 'has', operand: 'link' })).includes(id))
      assert.deepEqual(
        await found({ operator: 'channels', operand: 'web-public', negated: true }),
        [],
      )
    })

    it('requires an account for all other narrows', async () => {
      for (const narrow of [
        [],
        null,
        [{ operator: 'channel', operand: at.channels.window }],
        [{ ...webPublic, negated: true }],
        [{ operator: 'channels', operand: 'public' }],
        [webPublic, { operator: 'is', operand: 'starred' }],
        [webPublic, { operator: 'dm', operand: [at.people.alice.id] }],
        [webPublic, { operator: 'in', operand: 'all' }],
      ]) {
        assert.deepEqual(refusal(await fetchWith(at, narrow)), notLoggedIn, JSON.stringify(narrow))
      }
    })

    it('returns the same error for a hidden channel and an unknown one', async () => {
      for (const name of ['design', 'secret', 'no such']) {
        const { body } = await fetchWith(at, [webPublic, { operator: 'channel', operand: name }])
        assert.equal(body.msg, `Invalid narrow operator: unknown web-public channel ${name}`)
      }
    })

    it('rejects invalid credentials', async () => {
      const { alice } = at.people
      const wrong = at.host.client(
        at.subdomain,
        { email: alice.email, apiKey: 'x'.repeat(32) },
        0,
        'wrong',
      )

      assert.equal((await wrong.get('/messages', { narrow: [webPublic] })).status, 401)
    })

    it('gives spectators access to no other operation', async () => {
      const { window, design } = at.channels
      for (const path of [
        '/users/me',
        '/streams',
        `/streams/${window}`,
        `/streams/${window}/members`,
        '/users/me/subscriptions',
        '/events',
        '/realm/presence',
        `/users/${at.people.alice.id}`,
      ]) {
        assert.equal((await at.nobody.get(path)).status, 401, path)
      }
      const message = { type: 'channel', to: window, topic: 'x', content: 'x' }
      assert.equal((await at.nobody.post('/messages', message)).status, 401)
      const hidden = await at.nobody.get(`/users/me/${design}/topics`)
      const unknown = await at.nobody.get(`/users/me/${at.unknownId}/topics`)
      assert.deepEqual(hidden.body, unknown.body)
      assert.equal(hidden.status, 400)
    })
  },
  open,
)

everyHost(
  'get-message',
  (at) => {
    it('returns only messages of web-public channels to spectators', async () => {
      const { alice } = at.people
      const shown = await alice.say(at.channels.window, 'single', '**for all**')
      const hidden = await alice.say(at.channels.design, 'single', 'not for all')

      const { body } = await at.nobody.get(`/messages/${shown}`)

      assert.deepEqual(body.message.flags, ['read'])
      assert.equal(body.raw_content, '**for all**')
      for (const id of [hidden, 2_000_000_000]) {
        assert.deepEqual(refusal(await at.nobody.get(`/messages/${id}`)), notLoggedIn)
      }
    })
  },
  open,
)

everyHost(
  'register-queue',
  (at) => {
    it('returns the state of a guest without a queue and without personal data', async () => {
      await at.people.alice.say(at.channels.general, 'topic', 'not for all')

      const { body } = await at.nobody.post('/register', { client_gravatar: false })

      assert.equal(body.queue_id, null)
      assert.equal('last_event_id' in body, false)
      assert.deepEqual(
        [body.user_id, body.email, body.delivery_email, body.full_name, body.is_guest],
        [0, 'username@example.com', 'username@example.com', 'Anonymous User', true],
      )
      assert.deepEqual(
        [body.max_message_id, body.realm_allow_message_editing, body.realm_presence_disabled],
        [-1, false, true],
      )
      assert.deepEqual(body.presences, {})
      for (const absent of ['streams', 'presence_last_update_id'])
        assert.equal(absent in body, false)
      for (const empty of [
        'unsubscribed',
        'never_subscribed',
        'realm_bots',
        'drafts',
        'alert_words',
        'muted_users',
        'user_topics',
        'starred_messages',
        'recent_private_conversations',
        'saved_snippets',
        'scheduled_messages',
        'custom_profile_fields',
        'realm_default_streams',
      ]) {
        assert.deepEqual(body[empty], [], empty)
      }
      assert.equal(body.server_web_public_streams_enabled, true)
      assert.equal(body.realm_enable_spectator_access, true)
      assert.equal(body.can_create_streams, false)
    })

    it('returns the web-public channels as subscriptions', async () => {
      const { body } = await at.nobody.post('/register')

      assert.deepEqual(
        body.subscriptions.map(({ stream_id }) => stream_id),
        [at.channels.window],
      )
      const [window] = body.subscriptions
      assert.deepEqual(
        [window!.is_muted, window!.push_notifications, window!.desktop_notifications],
        [false, true, true],
      )
      assert.match(window!.color, /^#[0-9a-f]{6}$/)
      assert.equal('subscribers' in window!, false)
    })

    it('returns fewer properties of the users', async () => {
      const { body } = await at.nobody.post('/register')

      const alice = body.realm_users.find(({ user_id }) => user_id === at.people.alice.id)
      assert.equal(alice!.delivery_email, null)
      assert.match(alice!.date_joined, /^\d{4}-\d\d-\d\d$/)
      assert.equal('timezone' in alice! || 'profile_data' in alice!, false)
      assert.deepEqual(
        body.realm_users.map(({ user_id }) => user_id),
        (await at.nobody.get('/users')).body.members
          .filter((user) => user.is_active)
          .map(({ user_id }) => user_id),
      )
    })

    it('rejects sections that spectators have no access to', async () => {
      for (const [name, value] of [
        ['client_gravatar', true],
        ['include_subscribers', 'true'],
        ['include_subscribers', 'partial'],
      ] as const) {
        assert.deepEqual(refusal(await at.nobody.post('/register', { [name]: value })), [
          400,
          'BAD_REQUEST',
          `Invalid '${name}' parameter for anonymous request`,
        ])
      }
    })
  },
  open,
)

everyHost(
  'get-messages',
  (at) => {
    it('limits spectators by IP address, separately from users', async () => {
      assert.equal((await fetchWith(at, [webPublic])).status, 200)
      assert.equal((await fetchWith(at, [webPublic])).status, 200)

      const third = await fetchWith(at, [webPublic])

      assert.deepEqual([third.status, third.body.code], [429, 'RATE_LIMIT_HIT'])
      assert.equal((await at.people.alice.get('/users/me')).status, 200)
    })
  },
  open,
  { rateLimits: { apiByAddress: [{ windowSeconds: 60, maxRequests: 2 }] } },
)
