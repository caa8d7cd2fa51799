import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { everyHost } from '../support/host.js'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

/** The fields of an error response: status, code, message and challenge. */
function refusal({ status, body, headers }: Answer): unknown[] {
  return [status, body.code, body.msg, headers['www-authenticate']]
}

const challenge = 'Basic realm="zulip"'

everyHost('get-own-user', (at) => {
  /** Sends a request with any `Authorization` header. */
  const getWith = (authorization: string, client: Client = at.nobody) =>
    client.get('/users/me', {}, { authorization })

  it('returns 401 with a challenge if there are no credentials', async () => {
    assert.deepEqual(refusal(await at.nobody.get('/users/me')), [
      401,
      'UNAUTHORIZED',
      'Not logged in: API authentication or user session required',
      challenge,
    ])
  })

  it('refuses a malformed header', async () => {
    const { alice } = at.people
    const apiKey = alice.credentials?.apiKey ?? ''
    for (const header of [
      'Basic',
      'Basic a b',
      'Basic ***',
      basic('no colon'),
      basic(`${alice.email}:${apiKey}:more`),
      `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x61]).toString('base64')}`,
    ]) {
      assert.deepEqual(
        refusal(await getWith(header)),
        [401, 'UNAUTHORIZED', 'Invalid authorization header for basic auth', challenge],
        header,
      )
    }
  })

  it('refuses schemes other than Basic', async () => {
    assert.deepEqual(refusal(await getWith('Bearer abc')), [
      400,
      'BAD_REQUEST',
      'This endpoint requires HTTP basic authentication.',
      undefined,
    ])
  })

  it('refuses malformed API keys', async () => {
    const { alice } = at.people
    for (const key of ['short', 'x'.repeat(33), `${'x'.repeat(31)}-`, '']) {
      assert.deepEqual(
        refusal(await getWith(basic(`${alice.email}:${key}`))),
        [401, 'INVALID_API_KEY', 'Malformed API key', challenge],
        key,
      )
    }
  })

  it('returns the same error for an unknown address and a wrong key', async () => {
    const { alice, bob } = at.people
    const key = alice.credentials?.apiKey ?? ''
    for (const text of [
      `${alice.email}:${'x'.repeat(32)}`,
      `nobody@nowhere.example:${'x'.repeat(32)}`,
      `${bob.email}:${key}`,
      `:${key}`,
    ]) {
      assert.deepEqual(
        refusal(await getWith(basic(text))),
        [401, 'INVALID_API_KEY', 'Invalid API key', challenge],
        text,
      )
    }
  })

  it('compares addresses ignoring case and surrounding spaces, and keys exactly', async () => {
    const { alice } = at.people
    const key = alice.credentials?.apiKey ?? ''

    assert.equal((await getWith(basic(`${alice.email.toUpperCase()}:${key}`))).status, 200)
    assert.equal((await getWith(basic(` ${alice.email} : ${key} `))).status, 200)
    assert.equal((await getWith(`basic ${basic(`${alice.email}:${key}`).slice(6)}`)).status, 200)
    assert.equal((await getWith(basic(`${alice.email}:${key.toUpperCase()}`))).status, 401)
  })

  it('refuses a deactivated account', async () => {
    assert.deepEqual(refusal(await at.people.dora.get('/users/me')), [
      401,
      'USER_DEACTIVATED',
      'Account is deactivated',
      challenge,
    ])
  })

  it('does not accept a key in the query string', async () => {
    const key = at.people.alice.credentials?.apiKey
    assert.equal((await at.nobody.get('/users/me', { api_key: key })).status, 401)
  })

  it('checks credentials after the path and before everything else', async () => {
    const unknownPath = await getWith('Bearer abc', at.nobody)
    assert.equal(unknownPath.status, 400)
    assert.equal((await at.nobody.get('/no_such_path')).status, 404)
    assert.equal((await at.nobody.send('PUT', '/users/me')).status, 405)
    assert.equal((await at.nobody.post('/users', {})).status, 401)
  })
})

everyHost(
  'get-own-user',
  (at) => {
    it('does not accept the placeholder address in place of the real one', async () => {
      const { alice } = at.people
      const key = alice.credentials?.apiKey ?? ''

      assert.equal((await alice.get('/users/me')).body.email, `user${alice.id}@users.invalid`)
      assert.deepEqual(
        refusal(
          await at.nobody.get(
            '/users/me',
            {},
            { authorization: basic(`user${alice.id}@users.invalid:${key}`) },
          ),
        ),
        [401, 'INVALID_API_KEY', 'Invalid API key', challenge],
      )
    })
  },
  { userSettings: { alice: { email_address_visibility: 4 } } },
)

everyHost(
  'get-own-user',
  (at) => {
    it('refuses incoming webhook bots and accepts other bots', async () => {
      const helper = at.host.client(
        at.subdomain,
        { email: 'helper-bot@hooks.example', apiKey: 'g'.repeat(32) },
        0,
        'helper',
      )
      const hook = at.host.client(
        at.subdomain,
        { email: 'hook-bot@hooks.example', apiKey: 'h'.repeat(32) },
        0,
        'hook',
      )

      assert.deepEqual(refusal(await hook.get('/users/me')), [
        401,
        'UNAUTHORIZED',
        'This API is not available to incoming webhook bots.',
        challenge,
      ])
      assert.equal((await helper.get('/users/me')).status, 200)
    })
  },
  {
    more: ({ people, base }) => ({
      bots: [
        {
          id: people.bot,
          email: 'helper-bot@hooks.example',
          full_name: 'Helper',
          owner_id: people.alice,
          api_key: 'g'.repeat(32),
        },
        {
          id: base + 50,
          email: 'hook-bot@hooks.example',
          full_name: 'Hook',
          owner_id: people.alice,
          bot_type: 2,
          api_key: 'h'.repeat(32),
        },
      ],
    }),
  },
)

everyHost('register-queue', (at) => {
  it('returns REALM_DEACTIVATED to all users while the organization is deactivated', async () => {
    const { alice, dora } = at.people
    const feed = await alice.listen()
    const waiting = alice.get('/events', {
      queue_id: feed.queueId,
      last_event_id: feed.lastEventId,
    })

    await at.host.chat.organizations.deactivate(at.subdomain)

    const { events } = (await waiting).body
    assert.equal(events.length, 1)
    assert.equal(events[0].type, 'realm')
    assert.equal(events[0].op, 'deactivated')
    for (const client of [alice, dora]) {
      assert.deepEqual(refusal(await client.post('/register')), [
        401,
        'REALM_DEACTIVATED',
        'This organization has been deactivated',
        challenge,
      ])
    }
    const poll = await alice.get('/events', { queue_id: feed.queueId, last_event_id: events[0].id })
    assert.equal(poll.status, 401)

    await at.host.chat.organizations.reactivate(at.subdomain)

    assert.equal((await alice.get('/users/me')).status, 200)
    assert.equal((await dora.get('/users/me')).body.code, 'USER_DEACTIVATED')
  })

  it('rejects the deactivation of an unknown organization', async () => {
    await assert.rejects(at.host.chat.organizations.deactivate('no-such'), /No such organization/)
  })
})
