import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import { FakeRelay } from '../support/fake-relay.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const apns = '/users/me/apns_device_token'
const fcm = '/users/me/android_gcm_reg_id'
const appid = 'org.example.Chat-1'
const botRefusal = 'This endpoint does not accept bot requests.'

const relay = await FakeRelay.start()
after(() => relay.stop())
const withRelay = { pushRelay: relay.address }

everyHost('add-apns-token', (at) => {
  it('adds a token once, however often it is sent', async () => {
    const { alice } = at.people

    const first = await alice.post(apns, { token: 'c0ffee', appid })
    const second = await alice.post(apns, { token: 'C0FFEE', appid })
    const removed = await alice.delete(apns, { token: 'c0ffee' })
    const again = await alice.delete(apns, { token: 'c0ffee' })

    assert.deepEqual(first.body, bareSuccess)
    assert.deepEqual(second.body, bareSuccess)
    assert.deepEqual(removed.body, bareSuccess)
    assertRefused(again, 'Token does not exist')
  })

  it('lets several users, also guests, have the same token', async () => {
    const { bob, gus } = at.people

    await bob.post(apns, { token: 'ab01', appid })
    const second = await gus.post(apns, { token: 'ab01', appid })
    const removed = await bob.delete(apns, { token: 'ab01' })
    const kept = await gus.delete(apns, { token: 'ab01' })

    assert.deepEqual(
      [second.body, removed.body, kept.body],
      [bareSuccess, bareSuccess, bareSuccess],
    )
  })

  it('sends no event', async () => {
    const { carol } = at.people
    const feed = await carol.listen()

    await carol.post(apns, { token: 'cafe', appid })

    const events = await feed.drain()
    assert.deepEqual(
      events.filter(({ type }) => type !== 'message'),
      [],
    )
  })

  it('validates missing parameters in order', async () => {
    const { alice } = at.people

    const nothing = await alice.post(apns)
    const noApp = await alice.post(apns, { token: '' })

    const code = 'REQUEST_VARIABLE_MISSING'
    assertRefused(nothing, "Missing 'token' argument", { code, var_name: 'token' })
    assertRefused(noApp, "Missing 'appid' argument", { code, var_name: 'appid' })
  })

  it('rejects a malformed application id before a malformed token', async () => {
    const { alice } = at.people

    const answers = [
      await alice.post(apns, { token: '', appid: 'a/b' }),
      await alice.post(apns, { token: 'ab', appid: '' }),
      await alice.post(apns, { token: 'ab', appid: '..' }),
      await alice.post(apns, { token: 'ab', appid: 'org..example' }),
      await alice.post(apns, { token: 'ab', appid: 'org.example.\n' }),
      await alice.post(apns, { token: 'ab', appid: `org.${'x'.repeat(152)}` }),
      await alice.post(apns, { token: '', appid }),
      await alice.post(apns, { token: 'a'.repeat(4097), appid }),
      await alice.post(apns, { token: 'abc', appid }),
      await alice.post(apns, { token: 'wxyz', appid }),
    ]

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.code, body.msg]),
      [
        ...Array.from({ length: 6 }, () => [400, 'BAD_REQUEST', 'Invalid app ID']),
        [400, 'BAD_REQUEST', 'Empty or invalid length token'],
        [400, 'BAD_REQUEST', 'Empty or invalid length token'],
        [400, 'BAD_REQUEST', 'Invalid APNS token'],
        [400, 'BAD_REQUEST', 'Invalid APNS token'],
      ],
    )
  })

  it('accepts a token of 4096 characters', async () => {
    const token = 'a'.repeat(4096)

    const answer = await at.people.alice.post(apns, { token, appid })

    assert.deepEqual(answer.body, bareSuccess)
  })

  it('returns an error to bots', async () => {
    assertRefused(await at.people.bot.post(apns), botRefusal)
  })
})

everyHost('remove-apns-token', (at) => {
  it('validates the same parameters as adding', async () => {
    const { alice } = at.people

    const missing = await alice.delete(apns)
    const empty = await alice.delete(apns, { token: '' })
    const odd = await alice.delete(apns, { token: 'abc' })
    const unknown = await alice.delete(apns, { token: 'abcd' })
    const bot = await at.people.bot.delete(apns, { token: 'abcd' })

    const code = 'REQUEST_VARIABLE_MISSING'
    assertRefused(missing, "Missing 'token' argument", { code, var_name: 'token' })
    assertRefused(empty, 'Empty or invalid length token')
    assertRefused(odd, 'Invalid APNS token')
    assertRefused(unknown, 'Token does not exist')
    assertRefused(bot, botRefusal)
  })

  it('removes no token of another user or kind, and ignores case', async () => {
    const { alice, bob } = at.people
    await bob.post(apns, { token: 'beef', appid })
    await alice.post(fcm, { token: 'beef' })

    const foreign = await alice.delete(apns, { token: 'beef' })
    const own = await bob.delete(apns, { token: 'BEEF' })

    assertRefused(foreign, 'Token does not exist')
    assert.deepEqual(own.body, bareSuccess)
  })
})

everyHost('add-fcm-token', (at) => {
  it('adds a token once', async () => {
    const { alice } = at.people

    const first = await alice.post(fcm, { token: 'fcm:A_1-x' })
    const second = await alice.post(fcm, { token: 'fcm:A_1-x' })
    const removed = await alice.delete(fcm, { token: 'fcm:A_1-x' })

    assert.deepEqual([first.body, second.body, removed.body], Array(3).fill(bareSuccess))
    assertRefused(await alice.delete(fcm, { token: 'fcm:A_1-x' }), 'Token does not exist')
  })

  it('rejects tokens that are missing, empty, too long or malformed, and calls by bots', async () => {
    const { alice, bot } = at.people

    const missing = await alice.post(fcm)
    const empty = await alice.post(fcm, { token: '' })
    const long = await alice.post(fcm, { token: 'x'.repeat(4097) })

    const code = 'REQUEST_VARIABLE_MISSING'
    assertRefused(missing, "Missing 'token' argument", { code, var_name: 'token' })
    assertRefused(empty, 'Empty or invalid length token')
    assertRefused(long, 'Empty or invalid length token')
    for (const token of ['a b', 'a\u0001', 'a\r\nb', 'Ä', 'a\u200B']) {
      assertRefused(await alice.post(fcm, { token }), 'Invalid FCM token')
      assertRefused(await alice.delete(fcm, { token }), 'Invalid FCM token')
    }
    assertRefused(await bot.post(fcm, { token: 'x' }), botRefusal)
  })
})

everyHost('remove-fcm-token', (at) => {
  it('compares tokens case-sensitively', async () => {
    const { alice } = at.people
    await alice.post(fcm, { token: 'Exact' })

    const other = await alice.delete(fcm, { token: 'exact' })
    const same = await alice.delete(fcm, { token: 'Exact' })

    assertRefused(other, 'Token does not exist')
    assert.deepEqual(same.body, bareSuccess)
  })

  it('returns an error to bots', async () => {
    assertRefused(await at.people.bot.delete(fcm, { token: 'x' }), botRefusal)
  })
})

everyHost(
  'add-apns-token with a relay',
  (at) => {
    it('registers the token at the relay with the ids of server, organization and user', async () => {
      const { alice, bob } = at.people
      const before = relay.requests.length

      await alice.post(apns, { token: 'aa11', appid })
      await bob.post(fcm, { token: 'green' })

      const [first, second] = relay.requests.slice(before)
      const { user_uuid, realm_uuid, ...rest } = (first?.body ?? {}) as Record<string, string>
      assert.equal(first?.path, 'push/register')
      assert.deepEqual(rest, {
        server_uuid: relay.serverId,
        user_id: String(alice.id),
        token: 'aa11',
        token_kind: '1',
        ios_app_id: appid,
      })
      assert.match(String(user_uuid), /^[0-9a-f-]{36}$/)
      assert.match(String(first?.headers['user-agent']), /^ZulipServer\/\S+$/)
      assert.equal(second?.body.realm_uuid, realm_uuid)
      assert.notEqual(second?.body.user_uuid, user_uuid)
      assert.equal(second?.body.token_kind, '2')
      assert.equal(second?.body.ios_app_id, undefined)
    })

    it('lets the relay decide whether a removed token existed', async () => {
      const { alice } = at.people
      await alice.post(fcm, { token: 'here' })

      const removed = await alice.delete(fcm, { token: 'here' })
      const again = await alice.delete(fcm, { token: 'here' })

      assert.deepEqual(removed.body, bareSuccess)
      assertRefused(again, 'Token does not exist')
    })

    it('returns the reason why the relay fails, and stores nothing', async () => {
      const { carol } = at.people
      const post = async () => carol.post(fcm, { token: 'blue' })

      relay.failOnce({ status: 503 })
      const broken = await post()
      relay.failOnce({ status: 401, code: 'INVALID_ZULIP_SERVER' })
      const credentials = await post()
      relay.failOnce({ status: 403, code: 'REMOTE_REALM_SERVER_MISMATCH_ERROR', msg: 'Elsewhere' })
      const mismatch = await post()
      relay.down()
      const down = await post()
      relay.up()
      const tested = await carol.post('/mobile_push/test_notification', { token: 'blue' })

      assertRefused(broken, internalError, {
        status: 502,
        code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER',
      })
      assertRefused(credentials, adminProblem, { status: 403, code: 'ADMIN_ACTION_REQUIRED' })
      assertRefused(mismatch, 'Elsewhere')
      assertRefused(down, networkError, { status: 502, code: 'FAILED_TO_CONNECT_BOUNCER' })
      assertRefused(tested, 'Device not recognized', { code: 'INVALID_PUSH_DEVICE_TOKEN' })
    })

    it('fails after 15 seconds', async () => {
      relay.hang()
      const isWaiting = at.clock.next('set', 15)
      const answering = at.people.carol.post(fcm, { token: 'slow' })
      await isWaiting
      at.clock.fire(15)
      const answer = await answering
      relay.up()

      assertRefused(answer, networkError, { status: 502, code: 'FAILED_TO_CONNECT_BOUNCER' })
    })

    it('removes all tokens of a user whose API key is replaced', async () => {
      const { mona } = at.people
      await mona.post(fcm, { token: 'red' })
      const isUnregistered = relay.next('push/unregister/all')

      const { body } = await mona.post('/users/me/api_key/regenerate')
      const unregistered = await isUnregistered

      const client = again(at, body.api_key)
      const tested = await client.post('/mobile_push/test_notification', { token: 'red' })
      assert.equal(unregistered.body.user_id, String(mona.id))
      assertRefused(tested, 'Device not recognized', { code: 'INVALID_PUSH_DEVICE_TOKEN' })
    })
  },
  {},
  withRelay,
)

const networkError = 'Network error while connecting to Zulip push notification service.'
const internalError = 'Internal server error on Zulip push notification service, retry later.'
const adminProblem =
  'Push notification configuration issue on server, contact the server administrator or retry later.'

function again({ host, subdomain, people }: HostCase, apiKey: string) {
  const { email, id, name } = people.mona
  return host.client(subdomain, { email, apiKey }, id, name)
}
