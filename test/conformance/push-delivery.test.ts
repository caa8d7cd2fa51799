import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { FakeRelay } from '../support/fake-relay.js'
import { everyHost } from '../support/host.js'
import { e2eePath, legacyPath, PushReaders, settle, settleReading } from '../support/push-reader.js'

const relay = await FakeRelay.start()
after(() => relay.stop())
const readers = new PushReaders(relay)
const retrySeconds = 30

everyHost(
  'send-message to several devices',
  (at) => {
    it('does not resend to a device that was reached when another device fails', async () => {
      const { alice, bob } = at.people
      const [phone, tablet] = [
        await readers.of(at, bob),
        await readers.another(at, bob, `${bob.id}9`, 'apns'),
      ]
      await alice.whisper([bob], 'to both')
      const [toPhone] = await phone.requests()
      await tablet.skip()
      const failing = toPhone.device_id as number

      relay.failing.add(failing)
      const id = await alice.whisper([bob], 'to one')
      const first = [await phone.outline(), await tablet.outline()]
      relay.failing.clear()
      at.clock.jump(retrySeconds)
      await settle(at)

      const tries = relay
        .of(e2eePath)
        .slice(-3)
        .map(({ body }) => body.push_requests[0].device_id === failing)
      assert.deepEqual(tries, [true, false, true])
      assert.deepEqual(first, [[['message', id]], [['message', id]]])
      assert.deepEqual(await phone.outline(), [['message', id]])
      assert.deepEqual(await tablet.outline(), [])
    })

    it('does not resend to encrypted devices when devices with tokens fail', async () => {
      const { alice, carol } = at.people
      const reads = await readers.of(at, carol)
      await carol.post('/users/me/android_gcm_reg_id', { token: 'green' })
      const from = relay.of(legacyPath).length

      relay.failOnce({ status: 500 })
      const id = await alice.whisper([carol], 'hello')
      await settle(at)
      at.clock.jump(retrySeconds)
      await settle(at)

      const legacy = relay.of(legacyPath).slice(from)
      const encrypted = await reads.outline()
      // One of the two kinds of devices failed, and only that one was retried.
      assert.equal(legacy.length + encrypted.length, 3)
      assert.ok(encrypted.every((line) => (line as unknown[])[1] === id))
    })

    it('drops notifications that the relay rejects, and reports that the organization may not push', async () => {
      const { alice, gus, mona } = at.people
      const reads = await readers.of(at, gus)
      relay.status = { can_push: true, expected_end_timestamp: null }
      await alice.whisper([gus], 'allowed')
      await reads.skip()
      const feed = await mona.listen({ event_types: ['realm'] })

      relay.failOnce({ status: 403, code: 'PUSH_NOTIFICATIONS_DISALLOWED', msg: 'Pay first' })
      await alice.whisper([gus], 'refused')
      const refused = await reads.outline()
      at.clock.jump(3600)
      const later = await reads.outline()

      assert.equal(refused.length, 1)
      assert.deepEqual(later, [])
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm', op: 'update', property: 'push_notifications_enabled', value: false },
      ])
      relay.status = null
    })

    it('stores what the relay returns about the organization with a notification', async () => {
      const { alice, adam, bob } = at.people
      await adam.post('/users/me/android_gcm_reg_id', { token: 'adam' })
      const feed = await bob.listen({ event_types: ['realm'] })
      relay.status = { can_push: true, expected_end_timestamp: 2_000_000_000 }

      await alice.whisper([adam], 'hello')
      await settle(at)

      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm', op: 'update', property: 'push_notifications_enabled', value: true },
        {
          type: 'realm',
          op: 'update',
          property: 'push_notifications_enabled_end_timestamp',
          value: 2_000_000_000,
        },
      ])
      relay.status = null
    })
  },
  {},
  { pushRelay: relay.address },
)

everyHost(
  'send-message to deactivated users',
  (at) => {
    it('sends no notification to a user who is deactivated before it is sent', async () => {
      const { olga, alice, carol } = at.people
      const reads = await readers.of(at, carol)
      relay.down()
      await alice.whisper([carol], 'farewell')
      await settle(at)
      await olga.delete(`/users/${carol.id}`)
      relay.up()
      at.clock.jump(retrySeconds)

      assert.deepEqual(await reads.outline(), [])
    })

    it('sends no notification after the organization is deactivated', async () => {
      const { olga, alice, bob } = at.people
      const reads = await readers.of(at, bob)
      relay.down()
      await alice.whisper([bob], 'farewell')
      await settle(at)
      const answer = await olga.post('/realm/deactivate')
      relay.up()
      at.clock.jump(retrySeconds)

      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(await reads.outline(), [])
    })
  },
  {},
  { pushRelay: relay.address },
)

everyHost(
  'update-message-flags with devices',
  (at) => {
    it('sends silent notifications that remove earlier ones', async () => {
      const { alice, mona, adam } = at.people
      const [apple, android] = [
        await readers.of(at, mona, 'apns'),
        await readers.of(at, adam, 'fcm'),
      ]
      const id = await alice.whisper([mona, adam], 'hello')
      const [loud] = await apple.requests()
      await android.skip()

      for (const client of [mona, adam]) {
        await client.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      }
      await settleReading(at)

      const [[toApple], [toAndroid]] = [await apple.requests(), await android.requests()]
      assert.deepEqual(loud.http_headers, { apns_priority: 10, apns_push_type: 'alert' })
      assert.deepEqual(toApple.http_headers, { apns_priority: 5, apns_push_type: 'background' })
      assert.equal(toAndroid.fcm_priority, 'normal')
      assert.deepEqual(apple.open(toApple)['message_ids'], [id])
    })

    it('removes at most the newest 200 messages that were read at once', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)
      const ids: number[] = []
      for (let index = 0; index < 205; index += 1) ids.push(await alice.whisper([bob], `${index}`))
      await reads.skip()

      await bob.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' })
      await settleReading(at)

      assert.deepEqual(await reads.outline(), [['remove', ids.slice(-200)]])
    })

    it('removes the notifications of deleted messages, once', async () => {
      const { olga, alice, gus } = at.people
      const reads = await readers.of(at, gus)
      const id = await alice.whisper([gus], 'oops')
      await reads.skip()

      const answer = await olga.delete(`/messages/${id}`)
      assert.equal(answer.status, 400, 'the owner is not part of their conversation')
      await alice.delete(`/messages/${id}`)
      await settleReading(at)
      const removed = await reads.outline()
      await gus.post('/mark_all_as_read')
      await settleReading(at)

      assert.deepEqual(removed, [['remove', [id]]])
      assert.deepEqual(await reads.outline(), [])
    })

    it('removes no notifications for other flags', async () => {
      const { alice, carol } = at.people
      const reads = await readers.of(at, carol)
      const id = await alice.whisper([carol], 'remember')
      await reads.skip()

      await carol.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
      await settleReading(at)

      assert.deepEqual(await reads.outline(), [])
    })
  },
  {},
  { pushRelay: relay.address },
)
