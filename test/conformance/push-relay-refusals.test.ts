import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { FakeRelay, type RelayFault } from '../support/fake-relay.js'
import { everyHost } from '../support/host.js'
import { PushDevice } from '../support/push-device.js'
import { assertRefused } from '../support/refusal.js'

const apns = '/users/me/apns_device_token'
const fcm = '/users/me/android_gcm_reg_id'
const legacy = '/mobile_push/test_notification'
const appid = 'org.example.Chat'

const relay = await FakeRelay.start()
after(() => relay.stop())
const withRelay = { pushRelay: relay.address }

/** Requests that call the relay, for a device with both kinds of tokens. */
const attempts: Readonly<Record<string, (client: Client) => Promise<Answer>>> = {
  'add-apns-token': (client) => client.post(apns, { token: 'beef', appid }),
  'remove-apns-token': (client) => client.delete(apns, { token: 'cafe' }),
  'add-fcm-token': (client) => client.post(fcm, { token: 'blue' }),
  'remove-fcm-token': (client) => client.delete(fcm, { token: 'green' }),
  'test-notify': (client) => client.post(legacy),
}

const adminProblem = [
  'Push notification configuration issue on server, contact the server administrator or retry later.',
  { status: 403, code: 'ADMIN_ACTION_REQUIRED' },
] as const

const faults: readonly (readonly [RelayFault, string, Readonly<Record<string, unknown>>])[] = [
  [
    { status: 500 },
    'Internal server error on Zulip push notification service, retry later.',
    { status: 502, code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' },
  ],
  [{ status: 401, code: 'INVALID_ZULIP_SERVER' }, ...adminProblem],
  [{ status: 200, body: 'no JSON' }, ...adminProblem],
  [
    { status: 400, code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', msg: 'Device not recognized there' },
    'Device not recognized there',
    { code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN' },
  ],
  [{ status: 400, msg: 'Something else' }, 'Something else', {}],
]

for (const [operationId, attempt] of Object.entries(attempts)) {
  everyHost(
    `${operationId} when the relay fails`,
    (at) => {
      it('returns the error for each failure of the relay, and sends no event', async () => {
        const { carol, olga } = at.people
        const feed = await olga.listen({ event_types: ['realm'] })
        for (const [fault, msg, more] of faults) {
          await carol.post(apns, { token: 'cafe', appid })
          await carol.post(fcm, { token: 'green' })
          relay.failOnce(fault)

          assertRefused(await attempt(carol), msg, more)
        }
        await carol.post(fcm, { token: 'green' })
        relay.down()
        const down = await attempt(carol)
        relay.up()

        assertRefused(down, 'Network error while connecting to Zulip push notification service.', {
          status: 502,
          code: 'FAILED_TO_CONNECT_BOUNCER',
        })
        assert.deepEqual(await feed.drain(), [])
      })

      it('sends an event to the whole organization when push notifications are disabled', async () => {
        const { bob, carol, gus } = at.people
        relay.now = () => at.clock.seconds
        await new PushDevice(relay, '1').register(bob)
        await carol.post(apns, { token: 'cafe', appid })
        await carol.post(fcm, { token: 'green' })
        const feeds = [
          await bob.listen({ event_types: ['realm'] }),
          await gus.listen({ event_types: ['realm'] }),
        ]
        const elsewhere = await at.host.organization()
        const foreign = await elsewhere.people.bob.listen({ event_types: ['realm'] })

        relay.failOnce({ status: 403, code: 'MISSING_REMOTE_REALM' })
        assertRefused(await attempt(carol), ...adminProblem)

        for (const feed of feeds) {
          assert.deepEqual(withoutIds(await feed.drain()), [
            { type: 'realm', op: 'update', property: 'push_notifications_enabled', value: false },
          ])
        }
        assert.deepEqual(await foreign.drain(), [])
      })
    },
    {},
    withRelay,
  )
}
