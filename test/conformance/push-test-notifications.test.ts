import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { FakeRelay } from '../support/fake-relay.js'
import { everyHost, type HostCase } from '../support/host.js'
import { PushDevice } from '../support/push-device.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const legacy = '/mobile_push/test_notification'
const e2ee = '/mobile_push/e2ee/test_notification'
const apns = '/users/me/apns_device_token'
const fcm = '/users/me/android_gcm_reg_id'
const appid = 'org.example.Chat'

const networkError = {
  text: 'Network error while connecting to Zulip push notification service.',
  status: 502,
  code: 'FAILED_TO_CONNECT_BOUNCER',
}
const internalError = {
  text: 'Internal server error on Zulip push notification service, retry later.',
  status: 502,
  code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER',
}
const adminProblem = {
  text: 'Push notification configuration issue on server, contact the server administrator or retry later.',
  status: 403,
  code: 'ADMIN_ACTION_REQUIRED',
}
const noDevice = ['No active registered push device', { code: 'NO_ACTIVE_PUSH_DEVICE' }] as const

const relay = await FakeRelay.start()
after(() => relay.stop())
const withRelay = { pushRelay: relay.address }

function tune({ clock }: HostCase): void {
  relay.now = () => clock.seconds
  relay.status = null
}

everyHost(
  'test-notify',
  (at) => {
    it('makes the relay notify the device with the token', async () => {
      const { alice } = at.people
      await alice.post(apns, { token: 'abcd', appid })
      await alice.post(fcm, { token: 'green' })
      const before = relay.requests.length

      const answer = await alice.post(legacy, { token: 'green' })

      const [request, ...more] = relay.requests.slice(before)
      const { realm_uuid: _, user_uuid: __, ...rest } = request?.body ?? {}
      assert.deepEqual(answer.body, bareSuccess)
      assert.deepEqual(more, [])
      assert.equal(request?.path, 'push/test_notification')
      assert.deepEqual(rest, {
        user_id: alice.id,
        token: 'green',
        token_kind: 2,
        base_payload: {
          server: new URL(at.host.origin).host,
          realm_id: rest.base_payload.realm_id as number,
          realm_uri: at.host.origin,
          realm_url: at.host.origin,
          realm_name: 'Test',
          user_id: alice.id,
        },
      })
      assert.equal(typeof rest.base_payload.realm_id, 'number')
    })

    it('makes the relay notify all of the devices, also if there are none', async () => {
      const { bob, gus } = at.people
      await bob.post(apns, { token: 'beef', appid })
      await bob.post(fcm, { token: 'blue' })
      const before = relay.requests.length

      const none = await gus.post(legacy)
      const all = await bob.post(legacy)

      assert.deepEqual([none.body, all.body], [bareSuccess, bareSuccess])
      assert.deepEqual(
        relay.requests.slice(before).map(({ body }) => body.token as string),
        ['beef', 'blue'],
      )
    })

    it('rejects tokens of other users, unknown tokens, and calls by bots', async () => {
      const { alice, bob, bot } = at.people
      await alice.post(fcm, { token: 'alice' })

      const answers = [
        await bob.post(legacy, { token: 'alice' }),
        await bob.post(legacy, { token: 'unknown' }),
        await bob.post(legacy, { token: '' }),
      ]

      for (const answer of answers) {
        assertRefused(answer, 'Device not recognized', { code: 'INVALID_PUSH_DEVICE_TOKEN' })
      }
      assertRefused(await bot.post(legacy), 'This endpoint does not accept bot requests.')
    })

    it('returns the reason why the relay fails', async () => {
      const { carol } = at.people
      await carol.post(fcm, { token: 'carol' })
      const post = async () => carol.post(legacy, { token: 'carol' })

      relay.failOnce({
        status: 400,
        code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
        msg: 'Device not recognized by the push bouncer',
      })
      const unknown = await post()
      relay.failOnce({ status: 500 })
      const broken = await post()
      relay.failOnce({ status: 402, msg: 'Pay first' })
      const other = await post()
      relay.down()
      const down = await post()
      relay.up()

      assertRefused(unknown, 'Device not recognized by the push bouncer', {
        code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
      })
      const { text, ...internal } = internalError
      assertRefused(broken, text, internal)
      assertRefused(other, 'Pay first')
      const { text: networkText, ...network } = networkError
      assertRefused(down, networkText, network)
    })
  },
  {},
  withRelay,
)

everyHost('test-notify without a relay', (at) => {
  it('succeeds and does nothing', async () => {
    const { alice } = at.people
    await alice.post(fcm, { token: 'green' })

    const own = await alice.post(legacy, { token: 'green' })
    const unknown = await alice.post(legacy, { token: 'red' })

    assert.deepEqual(own.body, bareSuccess)
    assertRefused(unknown, 'Device not recognized', { code: 'INVALID_PUSH_DEVICE_TOKEN' })
  })
})

everyHost(
  'e2ee-test-notify',
  (at) => {
    it('sends a notification that only the device can decrypt', async () => {
      tune(at)
      const { alice } = at.people
      const id = '9007199254740993123'
      const [phone, tablet] = [new PushDevice(relay, id), new PushDevice(relay, '2', 'apns')]
      await phone.register(alice)
      await tablet.register(alice)

      const one = await alice.post(e2ee, { push_account_id: id })
      const all = await alice.post(e2ee)

      const [first, second] = relay.of('push/e2ee/notify').slice(-2)
      const [toPhone, ...others] = first?.body.push_requests ?? []
      const { encrypted_data, ...visible } = toPhone.payload
      const plain = {
        realm_url: at.host.origin,
        realm_name: 'Test',
        user_id: alice.id,
        type: 'test',
        time: at.clock.seconds,
      }
      assert.deepEqual([one.body, all.body], [bareSuccess, bareSuccess])
      assert.deepEqual(others, [])
      assert.equal(toPhone.fcm_priority, 'high')
      assert.equal(typeof toPhone.device_id, 'number')
      assert.deepEqual(visible, { push_account_id: id })
      assert.deepEqual(phone.keys.open(encrypted_data as string), plain)
      assert.throws(() => tablet.keys.open(encrypted_data as string))
      const toTablet = second?.body.push_requests[1]
      assert.equal(second?.body.push_requests.length, 2)
      assert.deepEqual(toTablet.http_headers, { apns_priority: 10, apns_push_type: 'alert' })
      assert.deepEqual(toTablet.payload.aps, {
        'mutable-content': 1,
        alert: { title: 'New notification' },
      })
      assert.deepEqual(tablet.keys.open(toTablet.payload.encrypted_data as string), plain)
      assert.equal(first?.body.realm_uuid, relay.of('push/e2ee/register').at(-1)?.body.realm_uuid)
    })

    it('encrypts equal notifications differently', async () => {
      tune(at)
      const { gus } = at.people
      await new PushDevice(relay, '1').register(gus)

      await gus.post(e2ee)
      await gus.post(e2ee)

      const [first, second] = relay.of('push/e2ee/notify').slice(-2)
      assert.notEqual(
        first?.body.push_requests[0].payload.encrypted_data,
        second?.body.push_requests[0].payload.encrypted_data,
      )
    })

    it('finds only active devices of the caller', async () => {
      tune(at)
      const { bob, carol, mona } = at.people
      await new PushDevice(relay, '3').register(carol)
      await new PushDevice(relay, '4').register(mona, { bouncer_public_key: 'b3RoZXI=' })
      const count = relay.of('push/e2ee/notify').length

      assertRefused(await bob.post(e2ee), ...noDevice)
      assertRefused(await bob.post(e2ee, { push_account_id: 3 }), ...noDevice)
      assertRefused(await carol.post(e2ee, { push_account_id: 4 }), ...noDevice)
      assertRefused(await mona.post(e2ee, { push_account_id: 4 }), ...noDevice)
      assert.equal(relay.of('push/e2ee/notify').length, count)
    })

    it('finds no device whose registration is pending', async () => {
      tune(at)
      const { adam } = at.people
      relay.failOnce({ status: 500 })
      const isRefused = relay.next('push/e2ee/register')
      const device = new PushDevice(relay, '1')
      await adam.post('/mobile_push/register', device.registration(at.clock.seconds))
      await isRefused

      assertRefused(await adam.post(e2ee), ...noDevice)
    })

    it('removes devices that the push services no longer accept', async () => {
      tune(at)
      const { bob } = at.people
      const [kept, gone] = [new PushDevice(relay, '11'), new PushDevice(relay, '12')]
      await kept.register(bob)
      await gone.register(bob)
      await bob.post(e2ee, { push_account_id: 12 })
      const id = relay.of('push/e2ee/notify').at(-1)?.body.push_requests[0].device_id as number
      relay.gone.add(id)
      const feed = await bob.listen({ event_types: ['push_device'] })

      const both = await bob.post(e2ee)
      const { snapshot } = await bob.listen({ fetch_event_types: ['push_device'] })
      const alone = await bob.post(e2ee, { push_account_id: 12 })

      assert.deepEqual(both.body, bareSuccess)
      assert.deepEqual(Object.keys(snapshot['push_devices'] as object), ['11'])
      assertRefused(alone, ...noDevice)
      assert.deepEqual(await feed.drain(), [])
    })

    it('fails if every device is gone', async () => {
      tune(at)
      const { olga } = at.people
      await new PushDevice(relay, '21').register(olga)
      await olga.post(e2ee)
      relay.gone.add(relay.of('push/e2ee/notify').at(-1)?.body.push_requests[0].device_id as number)

      assertRefused(await olga.post(e2ee), ...noDevice)
    })

    it('fails for a device whose key is invalid', async () => {
      tune(at)
      const { olga } = at.people
      await new PushDevice(relay, '22').register(olga, { push_public_key: 'c2hvcnQ=' })

      assertRefused(await olga.post(e2ee, { push_account_id: 22 }), ...noDevice)
    })

    it('returns an error for each failure of the relay', async () => {
      tune(at)
      const { carol } = at.people
      await new PushDevice(relay, '31').register(carol)
      const faults: [fault: Parameters<FakeRelay['failOnce']>[0], problem: typeof adminProblem][] =
        [
          [{ status: 500 }, internalError],
          [{ status: 503, body: 'Bad gateway' }, internalError],
          [{ status: 401, code: 'INVALID_ZULIP_SERVER' }, adminProblem],
          [{ status: 403, code: 'MISSING_REMOTE_REALM' }, adminProblem],
          [{ status: 400, code: 'PUSH_NOTIFICATIONS_DISALLOWED' }, adminProblem],
          [{ status: 304, body: '' }, adminProblem],
          [{ status: 200, body: 'no JSON' }, adminProblem],
        ]
      for (const [fault, { text, ...rest }] of faults) {
        relay.failOnce(fault)
        assertRefused(await carol.post(e2ee), text, rest)
      }
      relay.failOnce({ status: 400, msg: 'Something else' })
      assertRefused(await carol.post(e2ee), 'Something else')
      relay.down()
      const down = await carol.post(e2ee)
      relay.up()
      relay.hang()
      const isWaiting = at.clock.next('set', 15)
      const answering = carol.post(e2ee)
      await isWaiting
      at.clock.fire(15)
      const late = await answering
      relay.up()

      const { text, ...rest } = networkError
      assertRefused(down, text, rest)
      assertRefused(late, text, rest)
    })

    it('stores what the relay returns about the organization, and sends the event once', async () => {
      tune(at)
      const { alice, bob } = at.people
      await new PushDevice(relay, '41').register(alice)
      relay.status = { can_push: true, expected_end_timestamp: null }
      await alice.post(e2ee, { push_account_id: 41 })
      const feed = await bob.listen({ event_types: ['realm'] })

      relay.status = { can_push: true, expected_end_timestamp: 2_000_000_000 }
      await alice.post(e2ee, { push_account_id: 41 })
      await alice.post(e2ee, { push_account_id: 41 })
      relay.failOnce({ status: 403, code: 'MISSING_REMOTE_REALM' })
      await alice.post(e2ee, { push_account_id: 41 })

      const update = { type: 'realm', op: 'update' }
      const end = 'push_notifications_enabled_end_timestamp'
      assert.deepEqual(withoutIds(await feed.drain()), [
        { ...update, property: end, value: 2_000_000_000 },
        { ...update, property: 'push_notifications_enabled', value: false },
        { ...update, property: end, value: null },
      ])
    })

    it('rejects ids that are not integers, and calls by bots', async () => {
      const { alice, bot } = at.people

      for (const push_account_id of ['x', '1.5', '99999999999999999999']) {
        assertRefused(
          await alice.post(e2ee, { push_account_id }),
          'push_account_id is not an integer',
        )
      }
      assertRefused(await bot.post(e2ee), 'This endpoint does not accept bot requests.')
    })
  },
  {},
  withRelay,
)

everyHost('e2ee-test-notify without a relay', (at) => {
  it('finds no device', async () => {
    assertRefused(await at.people.alice.post(e2ee), ...noDevice)
  })
})

everyHost(
  'e2ee-test-notify',
  (at) => {
    it('returns an error for devices that were registered when the server had a relay', async () => {
      tune(at)
      const { alice } = at.people
      await new PushDevice(relay, '77').register(alice)
      const later = await at.host.another('express')
      try {
        const client = later.clientOf(alice)

        assertRefused(
          await client.post(e2ee),
          'Server is not configured to use push notification service.',
          { code: 'PUSH_SERVICE_NOT_CONFIGURED' },
        )
      } finally {
        await later.stop()
      }
    })
  },
  {},
  withRelay,
)
