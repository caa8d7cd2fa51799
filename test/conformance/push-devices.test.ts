import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { FakeRelay } from '../support/fake-relay.js'
import { everyHost, type HostCase } from '../support/host.js'
import { nextPushDevice, PushDevice } from '../support/push-device.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const path = '/mobile_push/register'
const roundSeconds = 20
const listenOptions = { event_types: ['push_device', 'realm'] }

const relay = await FakeRelay.start()
after(() => relay.stop())
const withRelay = { pushRelay: relay.address }
/** So large that a JavaScript number would lose digits. */
const longId = '-9007199254740993123'

/** Sets the relay's clock to that of the group. */
function tune({ clock }: HostCase): void {
  relay.now = () => clock.seconds
}

/** Starts a round of background work, and resolves when it has ended. */
async function round({ clock }: HostCase, seconds = roundSeconds): Promise<void> {
  clock.jump(seconds)
  const isOver = clock.next('set', roundSeconds)
  clock.fire(roundSeconds)
  await isOver
}

async function devicesOf(client: Client): Promise<unknown> {
  const { snapshot } = await client.listen({ fetch_event_types: ['push_device'] })
  return snapshot['push_devices']
}

everyHost(
  'register-push-device',
  (at) => {
    it('registers the device with the relay, and sends the event only to its owner', async () => {
      tune(at)
      const { alice, bob } = at.people
      const [aliceFeed, bobFeed] = [
        await alice.listen(listenOptions),
        await bob.listen(listenOptions),
      ]
      const device = new PushDevice(relay, '2408', 'apns')
      const before = relay.requests.length

      const answer = await alice.post(path, device.registration(at.clock.seconds))
      const event = await nextPushDevice(aliceFeed)

      const { id: _, ...fields } = event
      assert.deepEqual(answer.body, bareSuccess)
      assert.deepEqual(fields, { type: 'push_device', push_account_id: '2408', status: 'active' })
      assert.deepEqual(
        (await bobFeed.drain()).filter(({ type }) => type === 'push_device'),
        [],
      )
      const [request] = relay.requests.slice(before)
      const {
        realm_uuid,
        encrypted_push_registration: __,
        ...rest
      } = (request?.body ?? {}) as Record<string, string>
      assert.equal(request?.path, 'push/e2ee/register')
      assert.match(String(realm_uuid), /^[0-9a-f-]{36}$/)
      assert.deepEqual(rest, {
        push_account_id: '2408',
        bouncer_public_key: relay.keys.publicKey,
      })
      assert.deepEqual(await devicesOf(alice), { 2408: { status: 'active', error_code: null } })
      assert.deepEqual(await devicesOf(bob), {})
    })

    it('keeps all digits of an account id', async () => {
      tune(at)
      const { bob } = at.people

      const event = await new PushDevice(relay, longId).register(bob)

      assert.equal(event['push_account_id'], longId)
      assert.equal(relay.of('push/e2ee/register').at(-1)?.body.push_account_id, longId)
      assert.deepEqual(await devicesOf(bob), { [longId]: { status: 'active', error_code: null } })
    })

    it('does nothing for a device that is already registered', async () => {
      tune(at)
      const { carol } = at.people
      const device = new PushDevice(relay, '1')
      await device.register(carol)
      const count = relay.requests.length

      const answer = await carol.post(
        path,
        new PushDevice(relay, '1').registration(at.clock.seconds),
      )
      await round(at)

      assert.deepEqual(answer.body, bareSuccess)
      assert.equal(relay.requests.length, count)
    })

    it('enables push notifications for all users after the first registration at the relay', async () => {
      tune(at)
      const { olga } = at.people

      await new PushDevice(relay, '1').register(olga)

      const { snapshot } = await olga.listen({ fetch_event_types: ['realm'] })
      assert.equal(snapshot['realm_push_notifications_enabled'], true)
    })

    it('retries while the relay fails, and reports the device as pending meanwhile', async () => {
      tune(at)
      const { adam } = at.people
      const feed = await adam.listen({ event_types: ['push_device'] })
      const device = new PushDevice(relay, '7')

      relay.failOnce({ status: 500 })
      const isRefused = relay.next('push/e2ee/register')
      await adam.post(path, device.registration(at.clock.seconds))
      await isRefused
      const pending = await devicesOf(adam)
      const again = await adam.post(path, device.registration(at.clock.seconds))
      const silence = await feed.drain()
      relay.failOnce({ status: 401, code: 'INVALID_ZULIP_SERVER' })
      await round(at)
      await round(at)
      await round(at)
      const event = await nextPushDevice(feed)

      assert.deepEqual(pending, { 7: { status: 'pending', error_code: null } })
      assert.deepEqual(again.body, bareSuccess)
      assert.deepEqual(silence, [])
      assert.equal(event['status'], 'active')
    })

    it('disables push notifications while the organization is unknown to the relay', async () => {
      tune(at)
      const { adam } = at.people
      await new PushDevice(relay, '8').register(adam)
      const feed = await adam.listen({ event_types: ['realm', 'push_device'] })

      relay.failOnce({
        status: 403,
        code: 'MISSING_REMOTE_REALM',
        msg: 'Organization not registered',
      })
      await adam.post(path, new PushDevice(relay, '9').registration(at.clock.seconds))
      await round(at, 0)
      const before = withoutIds(await feed.drain())
      await round(at)
      await round(at)
      const event = await nextPushDevice(feed)

      assert.deepEqual(before, [
        { type: 'realm', op: 'update', property: 'push_notifications_enabled', value: false },
      ])
      assert.equal(event['status'], 'active')
    })

    const refusals: [code: string, more: (at: HostCase) => object][] = [
      ['INVALID_BOUNCER_PUBLIC_KEY', () => ({ bouncer_public_key: 'b3RoZXI=' })],
      ['BAD_REQUEST', () => ({ encrypted_push_registration: 'bm9ib3g=' })],
      [
        'REQUEST_EXPIRED',
        () => ({
          encrypted_push_registration: relay.keys.seal({
            token: 'old',
            token_kind: 'fcm',
            timestamp: relay.now() - 86_401,
          }),
        }),
      ],
    ]
    for (const [index, [code, more]] of refusals.entries()) {
      it(`fails with ${code}, and starts again when the device is registered again`, async () => {
        tune(at)
        const { mona } = at.people
        const id = String(30 + index)
        const device = new PushDevice(relay, id)

        const { id: _, ...failed } = await device.register(mona, more(at))
        const state = (await devicesOf(mona)) as Record<string, unknown>
        const again = await device.register(mona)

        const type = 'push_device'
        assert.deepEqual(failed, { type, push_account_id: id, status: 'failed', error_code: code })
        assert.deepEqual(state[id], { status: 'failed', error_code: code })
        assert.equal(again['status'], 'active')
      })
    }

    it('fails after a day without a response', async () => {
      tune(at)
      const { gus } = at.people
      const feed = await gus.listen({ event_types: ['push_device'] })

      relay.down()
      await gus.post(path, new PushDevice(relay, '5').registration(at.clock.seconds))
      await round(at, 0)
      await round(at, 86_400)
      const tooEarly = await devicesOf(gus)
      await round(at, 3600)
      relay.up()
      const event = await nextPushDevice(feed)

      assert.deepEqual(tooEarly, { 5: { status: 'pending', error_code: null } })
      assert.equal(event['error_code'], 'REQUEST_EXPIRED')
    })

    it('validates parameters in order', async () => {
      const { alice, bot } = at.people
      const right = new PushDevice(relay, '1').registration(at.clock.seconds)
      const without = (name: string) => ({ ...right, [name]: undefined })

      const missing = Object.keys(right)
      for (const name of missing) {
        assertRefused(await alice.post(path, without(name)), `Missing '${name}' argument`, {
          code: 'REQUEST_VARIABLE_MISSING',
          var_name: name,
        })
      }
      assertRefused(
        await alice.post(path, { ...right, token_kind: 'web', push_account_id: 'x' }),
        'Invalid token_kind: Value error, Not in the list of possible values',
      )
      for (const push_account_id of ['x', '1.5', '9223372036854775808', '[]', '']) {
        assertRefused(
          await alice.post(path, { ...right, push_account_id }),
          'push_account_id is not an integer',
        )
      }
      for (const [name, limit] of [
        ['push_public_key', 255],
        ['bouncer_public_key', 255],
        ['encrypted_push_registration', 16_384],
      ] as const) {
        assertRefused(
          await alice.post(path, { ...right, [name]: 'A'.repeat(limit + 1) }),
          `${name} is too long (limit: ${limit} characters)`,
        )
      }
      assertRefused(await bot.post(path), 'This endpoint does not accept bot requests.')
    })
  },
  {},
  withRelay,
)

everyHost('register-push-device without a relay', (at) => {
  it('rejects registrations, but still lists devices', async () => {
    const { alice } = at.people

    const answer = await alice.post(path, new PushDevice(relay, '1').registration(0))

    assertRefused(answer, 'Server is not configured to use push notification service.', {
      code: 'PUSH_SERVICE_NOT_CONFIGURED',
    })
    assert.deepEqual(await devicesOf(alice), {})
  })
})
