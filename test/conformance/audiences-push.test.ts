import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import { each, everybody, receivedEvents } from '../support/audiences.js'
import type { Answer, Client } from '../support/client.js'
import { FakeRelay } from '../support/fake-relay.js'
import { everyHost, type HostCase } from '../support/host.js'
import { nextPushDevice, PushDevice } from '../support/push-device.js'

const apns = '/users/me/apns_device_token'
const fcm = '/users/me/android_gcm_reg_id'
const e2ee = '/mobile_push/e2ee/test_notification'
const enabled = 'realm/update:push_notifications_enabled'
const ended = `${enabled}_end_timestamp`

const relay = await FakeRelay.start()
after(() => relay.stop())

/** Registers devices one after the other, each once the event of the previous one has arrived. */
async function register(at: HostCase, client: Client, ids: readonly string[]): Promise<Answer> {
  const feed = await client.listen({ event_types: ['push_device'] })
  let answer: Answer | undefined
  for (const id of ids) {
    const device = new PushDevice(relay, id)
    answer = await client.post('/mobile_push/register', device.registration(at.clock.seconds))
    assert.equal(answer.status, 200, answer.text)
    await nextPushDevice(feed)
  }
  return answer as Answer
}

/** Registers the first device of an organization, which enables push notifications. */
async function registerFirst(at: HostCase, client: Client, id: string): Promise<Answer> {
  const everything = await client.listen({ event_types: ['realm'] })
  const answer = await register(at, client, [id])
  await everything.poll()
  return answer
}

everyHost(
  'register-push-device',
  (at) => {
    it('sends all users an event that push notifications are enabled, with the first device', async () => {
      relay.now = () => at.clock.seconds

      const events = await receivedEvents(at, ({ carol }) => registerFirst(at, carol, '7'))

      assert.deepEqual(events, { ...everybody(enabled), carol: ['push_device', enabled] })
    })

    it('sends events of further devices only to their owner', async () => {
      const own = await receivedEvents(at, ({ carol }) => register(at, carol, ['8', '9']))
      const other = await receivedEvents(at, ({ gus }) => register(at, gus, ['8', '9']))

      assert.deepEqual(own, each(['carol'], 'push_device', 'push_device'))
      assert.deepEqual(other, each(['gus'], 'push_device', 'push_device'))
    })

    const callsWithoutEvents: readonly (readonly [string, (by: Client) => Promise<Answer>])[] = [
      ['add-apns-token', (by) => by.post(apns, { token: 'c0ffee', appid: 'org.example.Chat' })],
      ['add-fcm-token', (by) => by.post(fcm, { token: 'green' })],
      ['test-notify', (by) => by.post('/mobile_push/test_notification')],
      ['e2ee-test-notify', (by) => by.post(e2ee, { push_account_id: 8 })],
      ['remove-apns-token', (by) => by.delete(apns, { token: 'c0ffee' })],
      ['remove-fcm-token', (by) => by.delete(fcm, { token: 'green' })],
    ]
    for (const [operationId, call] of callsWithoutEvents) {
      it(`sends no events for ${operationId}`, async () => {
        const member = await receivedEvents(at, ({ carol }) => call(carol))
        const guest = await receivedEvents(at, ({ gus }) => call(gus))

        assert.deepEqual([member, guest], [{}, {}])
      })
    }

    it('sends all users the push status that the relay returns for the organization', async () => {
      const status = { can_push: true, expected_end_timestamp: 2_000_000_000 }

      const changed = await receivedEvents(at, ({ gus }) => {
        relay.status = status
        return gus.post(e2ee, { push_account_id: 8 })
      })
      const unchanged = await receivedEvents(at, ({ gus }) =>
        gus.post(e2ee, { push_account_id: 8 }),
      )
      const refused = await receivedEvents(at, async ({ gus }) => {
        relay.status = null
        relay.failOnce({ status: 403, code: 'MISSING_REMOTE_REALM' })
        const answer = await gus.post(e2ee, { push_account_id: 8 })
        assert.equal(answer.body.code, 'ADMIN_ACTION_REQUIRED')
        return { ...answer, status: 200 }
      })

      assert.deepEqual(changed, everybody(ended))
      assert.deepEqual(unchanged, {})
      assert.deepEqual(refused, everybody(enabled, ended))
    })
  },
  {},
  { pushRelay: relay.address },
)
