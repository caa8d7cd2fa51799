import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import type { Client } from '../support/client.js'
import { FakeRelay } from '../support/fake-relay.js'
import { makeGroup } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import {
  e2eePath,
  legacyPath,
  PushReaders,
  readDelaySeconds,
  settle,
} from '../support/push-reader.js'

const relay = await FakeRelay.start()
after(() => relay.stop())
const withRelay = { pushRelay: relay.address }

const readers = new PushReaders(relay)

everyHost(
  'send-message with devices',
  (at) => {
    it('notifies the recipient of a direct message, and no other user', async () => {
      const { alice, bob, carol } = at.people
      const [bobReads, carolReads] = [
        await readers.of(at, bob),
        await readers.of(at, carol, 'apns'),
      ]
      const aliceReads = await readers.of(at, alice)

      const id = await alice.whisper([bob], 'Hello **Bob** :tada:')

      const [request, ...more] = await bobReads.requests()
      assert.deepEqual(more, [])
      assert.equal(request.fcm_priority, 'high')
      assert.deepEqual(await carolReads.requests(), [])
      assert.deepEqual(await aliceReads.requests(), [])
      const { sender_avatar_url, ...notice } = bobReads.open(request)
      const picture = `${at.host.origin}/user_avatars/default/${alice.id}.png?version=1`
      assert.equal(sender_avatar_url, picture)
      assert.deepEqual(notice, {
        realm_url: at.host.origin,
        realm_name: 'Test',
        user_id: bob.id,
        type: 'message',
        sender_id: alice.id,
        sender_full_name: 'Alice Test',
        recipient_type: 'direct',
        message_id: id,
        time: at.clock.seconds,
        content: 'Hello Bob 🎉',
      })
    })

    it('names all participants of a group conversation of three', async () => {
      const { alice, bob, mona } = at.people
      const reads = await readers.of(at, mona, 'apns')

      await alice.whisper([bob, mona], 'Us three')

      const [request] = await reads.requests()
      assert.equal(reads.open(request)['pm_users'], [mona.id, alice.id, bob.id].join(','))
      assert.deepEqual(request.http_headers, { apns_priority: 10, apns_push_type: 'alert' })
    })

    it('notifies users whom a channel message mentions', async () => {
      const { alice, bob, gus } = at.people
      const reads = await readers.of(at, gus)

      await alice.say(at.channels.general, 'Lunch', 'Not you')
      await settle(at)
      await alice.say(at.channels.general, 'Lunch', `@**Gus Test** and @_**Bob Test**`)
      await bob.say(at.channels.general, '', `@**all** here`)

      const [first, second, ...more] = await reads.notices()
      assert.deepEqual(more, [])
      assert.equal(first?.['content'], '@Gus Test and Bob Test')
      assert.equal(first?.['recipient_type'], 'channel')
      assert.equal(first?.['channel_id'], at.channels.general)
      assert.equal(first?.['channel_name'], 'general')
      assert.equal(first?.['topic'], 'Lunch')
      assert.equal(second?.['topic'], 'general chat')
    })

    it('names the group through which the user was mentioned', async () => {
      const { olga, alice, adam } = at.people
      const reads = await readers.of(at, adam)
      const name = 'backend'
      const groupId = await makeGroup(olga, name, { members: [adam.id] })

      await alice.say(at.channels.general, 'Groups', `@*${name}*`)
      await alice.say(at.channels.general, 'Groups', `@*${name}* @**Adam Test**`)

      const [byGroup, byName] = await reads.notices()
      assert.equal(byGroup?.['mentioned_user_group_id'], groupId)
      assert.equal(byGroup?.['mentioned_user_group_name'], name)
      assert.equal(byName?.['mentioned_user_group_id'], undefined)
    })

    it("respects the user's settings for channels and topics", async () => {
      const { alice, olga } = at.people
      const { general } = at.channels
      const reads = await readers.of(at, olga)
      const set = async (property: string, value: boolean) => {
        const subscription_data = [{ stream_id: general, property, value }]
        await olga.post('/users/me/subscriptions/properties', { subscription_data })
      }
      const policy = async (topic: string, visibility_policy: number) =>
        olga.post('/user_topics', { stream_id: general, topic, visibility_policy })

      await set('push_notifications', true)
      await alice.say(general, 'Wanted', 'channel')
      await settle(at)
      await policy('Boring', 1)
      await alice.say(general, 'Boring', 'muted topic')
      await settle(at)
      await set('push_notifications', false)
      await alice.say(general, 'Wanted', 'no channel')
      await settle(at)
      await policy('Exciting', 3)
      await alice.say(general, 'exciting', 'followed topic')

      assert.deepEqual(await reads.contents(), ['channel', 'followed topic'])
    })

    it('sends nothing to users who have disabled push notifications', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)
      const settings = (value: boolean) =>
        bob.patch('/settings', {
          enable_offline_push_notifications: value,
          enable_followed_topic_push_notifications: value,
        })

      await settings(false)
      await alice.whisper([bob], 'unwanted')
      await alice.say(at.channels.general, 'Names', '@**Bob Test** unwanted')
      await settle(at)
      await settings(true)
      await alice.whisper([bob], 'wanted')

      assert.deepEqual(await reads.contents(), ['wanted'])
    })

    it('sends nothing to online users who have disabled notifications while online', async () => {
      const { alice, carol } = at.people
      const reads = await readers.of(at, carol)
      await carol.patch('/settings', { enable_online_push_notifications: false })
      const here = async () =>
        carol.post('/users/me/presence', { status: 'active', ping_only: true })

      await alice.whisper([carol], 'away')
      await settle(at)
      await here()
      await carol.listen({ event_types: ['message'] })
      await alice.whisper([carol], 'here')
      await settle(at)
      at.clock.jump(300)
      await alice.whisper([carol], 'away again')
      await settle(at)
      await here()
      await carol.patch('/settings', { enable_online_push_notifications: true })
      await alice.whisper([carol], 'always')

      assert.deepEqual(await reads.contents(), ['away', 'away again', 'always'])
    })

    it('does not send messages that were read before the notification is sent', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)

      relay.failOnce({ status: 500 })
      const isRefused = relay.next(e2eePath)
      const id = await alice.whisper([bob], 'read elsewhere')
      await isRefused
      await settle(at)
      await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      await reads.requests()
      at.clock.jump(100)
      await alice.whisper([bob], 'still unread')

      const notices = (await reads.notices()).filter(({ type }) => type === 'message')
      assert.deepEqual(
        notices.map(({ content }) => content),
        ['still unread'],
      )
    })

    it('retries up to three times if the notification cannot have arrived', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)
      const tries = async () => (await reads.requests()).length

      relay.failOnce({ status: 503 })
      relay.failOnce({ status: 500 })
      relay.failOnce({ status: 500 })
      await alice.whisper([bob], 'insist')
      const first = await tries()
      at.clock.jump(30)
      const second = await tries()
      const tooEarly = await tries()
      at.clock.jump(60)
      const third = await tries()
      at.clock.jump(3600)
      const fourth = await tries()

      assert.deepEqual([first, second, tooEarly, third, fourth], [1, 1, 0, 1, 0])
    })

    it('removes notifications when the messages are read', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)
      const ids = [await alice.whisper([bob], 'one'), await alice.whisper([bob], 'two')]
      await reads.requests()

      await bob.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' })
      await settle(at)
      at.clock.fire(readDelaySeconds)

      const [request, ...more] = await reads.requests()
      const notice = reads.open(request)
      assert.deepEqual(more, [])
      assert.equal(request.fcm_priority, 'normal')
      assert.equal(notice['type'], 'remove')
      const removed = notice['message_ids'] as number[]
      assert.deepEqual(removed.slice(-2), ids)
      assert.deepEqual(
        removed,
        [...removed].sort((a, b) => a - b),
      )
    })

    it('removes devices that the push services no longer accept', async () => {
      const { alice, mona } = at.people
      const reads = await readers.of(at, mona)
      await alice.whisper([mona], 'last')
      const [request] = await reads.requests()
      relay.gone.add(request.device_id as number)

      await alice.whisper([mona], 'never seen')
      await settle(at)
      const { snapshot } = await mona.listen({ fetch_event_types: ['push_device'] })

      assert.deepEqual(snapshot['push_devices'], {})
    })

    it('truncates long messages', async () => {
      const { alice, gus } = at.people
      const reads = await readers.of(at, gus)

      await alice.whisper([gus], 'ä'.repeat(201))

      assert.deepEqual(await reads.contents(), [`${'ä'.repeat(200)}…`])
    })
  },
  {},
  withRelay,
)

everyHost(
  'send-message with tokens',
  (at) => {
    /** The notifications sent to the devices of a user since `from`. */
    const sentTo = async (client: Client, from: number) => {
      await settle(at)
      const sent = relay.requests.slice(from).filter(({ path }) => path === legacyPath)
      return sent.map(({ body }) => body).filter(({ user_id }) => user_id === client.id)
    }

    it('sends each kind of device its own format', async () => {
      const { alice, bob } = at.people
      await bob.post('/users/me/apns_device_token', { token: 'abcd', appid: 'org.example' })
      await bob.post('/users/me/android_gcm_reg_id', { token: 'green' })
      const device = await readers.of(at, bob)
      const from = relay.requests.length

      const id = await alice.say(at.channels.design, 'Logo', '@**Bob Test** look')

      const [body, ...more] = await sentTo(bob, from)
      const base = {
        realm_uri: at.host.origin,
        realm_url: at.host.origin,
        realm_name: 'Test',
        user_id: bob.id,
        event: 'message',
        sender_id: alice.id,
        sender_email: alice.email,
        time: at.clock.seconds,
        recipient_type: 'stream',
        stream: 'design',
        stream_id: at.channels.design,
        topic: 'Logo',
      }
      const { server, realm_id, sender_avatar_url, ...android } = body.gcm_payload
      assert.deepEqual(more, [])
      assert.deepEqual([body.apple_devices, body.android_devices], [['abcd'], ['green']])
      assert.deepEqual(body.gcm_options, { priority: 'high' })
      assert.equal(server, new URL(at.host.origin).host)
      assert.equal(typeof realm_id, 'number')
      assert.equal(
        sender_avatar_url,
        `${at.host.origin}/user_avatars/default/${alice.id}.png?version=1`,
      )
      assert.deepEqual(android, {
        ...base,
        zulip_message_id: id,
        content: '@Bob Test look',
        content_truncated: false,
        sender_full_name: 'Alice Test',
      })
      assert.deepEqual(body.apns_payload, {
        alert: {
          title: '#design > Logo',
          subtitle: 'Alice Test mentioned you:',
          body: '@Bob Test look',
        },
        sound: 'default',
        badge: 0,
        custom: { zulip: { ...base, message_ids: [id] } },
      })
      assert.deepEqual(await device.contents(), ['@Bob Test look'])
    })

    it('formats titles by conversation and trigger', async () => {
      const { alice, carol, bob, olga } = at.people
      await carol.post('/users/me/apns_device_token', { token: 'cccc', appid: 'org.example' })
      await makeGroup(olga, 'night', { members: [carol.id] })
      const from = relay.requests.length

      await alice.whisper([carol], 'pair')
      await settle(at)
      await alice.whisper([carol, bob], 'group')
      await settle(at)
      await alice.say(at.channels.general, '', '@*night*')
      await settle(at)
      await alice.say(at.channels.general, 'T', '@**all**')

      const bodies = await sentTo(carol, from)
      assert.deepEqual(
        bodies.map(({ apns_payload: { alert } }) => [alert.title, alert.subtitle] as unknown),
        [
          ['Alice Test', ''],
          ['Alice Test, Bob Test, Carol Test', 'Alice Test:'],
          ['#general > general chat', 'Alice Test mentioned @night:'],
          ['#general > T', 'Alice Test mentioned everyone:'],
        ],
      )
    })

    it('removes notifications, and removes tokens that have expired', async () => {
      const { alice, gus } = at.people
      await gus.post('/users/me/android_gcm_reg_id', { token: 'kept' })
      await gus.post('/users/me/android_gcm_reg_id', { token: 'gone' })
      relay.gone.add('gone')
      const ids = [await alice.whisper([gus], 'one'), await alice.whisper([gus], 'two')]
      await settle(at)
      const from = relay.requests.length

      await gus.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' })
      await settle(at)
      at.clock.fire(readDelaySeconds)

      const [body] = await sentTo(gus, from)
      assert.deepEqual(body.android_devices, ['kept'])
      assert.deepEqual(body.gcm_options, { priority: 'normal' })
      assert.equal(body.gcm_payload.event, 'remove')
      assert.equal(body.gcm_payload.zulip_message_ids, ids.join(','))
      assert.equal(body.apns_payload.custom.zulip.zulip_message_ids, ids.join(','))
    })
  },
  {},
  withRelay,
)

everyHost(
  'send-message without content for relays',
  (at) => {
    it('sends no content to relays', async () => {
      const { alice, bob } = at.people
      await bob.post('/users/me/android_gcm_reg_id', { token: 'secretive' })
      const device = await readers.of(at, bob)

      await alice.whisper([bob], 'top secret')

      assert.deepEqual(await device.contents(), ['top secret'])
      const { gcm_payload, apns_payload } = relay.of(legacyPath).at(-1)?.body ?? {}
      assert.equal(gcm_payload.content, 'New message')
      assert.equal(apns_payload.alert.body, 'New message')
    })
  },
  { settings: { require_e2ee_push_notifications: true } },
  withRelay,
)
