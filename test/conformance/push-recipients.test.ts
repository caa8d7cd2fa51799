import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import type { Client } from '../support/client.js'
import { FakeRelay } from '../support/fake-relay.js'
import { makeGroup } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'
import { legacyPath, PushReaders, settle, settleReading } from '../support/push-reader.js'

const relay = await FakeRelay.start()
after(() => relay.stop())
const readers = new PushReaders(relay)
const withRelay = { pushRelay: relay.address }

/** Sends a message to general and runs a delivery round. */
async function say(at: HostCase, topic: string, content: string): Promise<void> {
  await at.people.alice.say(at.channels.general, topic, content)
  await settle(at)
}

async function settings(client: Client, values: Record<string, unknown>): Promise<void> {
  const answer = await client.patch('/settings', values)
  assert.equal(answer.status, 200, answer.text)
}

/** Changes the reader's own subscription to general. */
async function subscription(at: HostCase, client: Client, values: object): Promise<void> {
  const answer = await client.post('/users/me/subscriptions/properties', {
    subscription_data: Object.entries(values).map(([property, value]) => ({
      stream_id: at.channels.general,
      property,
      value: value as unknown,
    })),
  })
  assert.equal(answer.status, 200, answer.text)
}

async function policy(at: HostCase, client: Client, topic: string, value: number): Promise<void> {
  const params = { stream_id: at.channels.general, topic, visibility_policy: value }
  const answer = await client.post('/user_topics', params)
  assert.equal(answer.status, 200, answer.text)
}

everyHost(
  'send-message with different settings',
  (at) => {
    // Followed topics have notification settings of their own.
    before(async () => {
      for (const client of Object.values(at.people)) {
        if (client === at.people.bot || client === at.people.dora) continue
        await settings(client, {
          automatically_follow_topics_where_mentioned: false,
          automatically_follow_topics_policy: 4,
        })
      }
    })

    it('notifies users of all channel messages if they have enabled that', async () => {
      const { bob } = at.people
      const reads = await readers.of(at, bob)

      await say(at, 'All', 'too early')
      await settings(bob, { enable_stream_push_notifications: true })
      await say(at, 'All', 'wanted')
      await policy(at, bob, 'Muted', 1)
      await say(at, 'Muted', 'muted topic')
      await subscription(at, bob, { is_muted: true })
      await say(at, 'All', 'muted channel')
      await policy(at, bob, 'Unmuted', 2)
      await say(at, 'Unmuted', 'unmuted topic')
      await subscription(at, bob, { is_muted: false, push_notifications: false })
      await say(at, 'All', 'not of this channel')
      await settings(bob, { enable_stream_push_notifications: false })
      await subscription(at, bob, { push_notifications: true })
      await say(at, 'All', 'of this channel alone')

      assert.deepEqual(await reads.contents(), ['wanted', 'unmuted topic', 'of this channel alone'])
    })

    it('notifies users of followed topics, unless they have disabled that', async () => {
      const { carol } = at.people
      const reads = await readers.of(at, carol)
      await policy(at, carol, 'Followed', 3)
      await subscription(at, carol, { is_muted: true })

      await say(at, 'followed', 'wanted')
      await settings(carol, { enable_followed_topic_push_notifications: false })
      await say(at, 'Followed', 'unwanted')

      assert.deepEqual(await reads.contents(), ['wanted'])
    })

    it('notifies users of wildcard mentions if they have enabled that', async () => {
      const { gus } = at.people
      const { general } = at.channels
      const reads = await readers.of(at, gus)
      await gus.say(general, 'Talk', 'I take part')
      await gus.say(general, 'Muted', 'I take part')

      await say(at, 'Talk', '@**all** one')
      await say(at, 'Talk', '@**topic** two')
      await say(at, 'Elsewhere', '@**topic** not of this one')
      await policy(at, gus, 'Muted', 1)
      await say(at, 'Muted', '@**topic** @**all** muted')
      await subscription(at, gus, { wildcard_mentions_notify: false })
      await say(at, 'Talk', '@**all** not here')
      await policy(at, gus, 'Talk', 3)
      await settings(gus, { enable_followed_topic_push_notifications: false })
      await say(at, 'Talk', '@**all** followed')
      await settings(gus, { enable_followed_topic_wildcard_mentions_notify: false })
      await say(at, 'Talk', '@**all** not even followed')

      assert.deepEqual(await reads.contents(), ['@all one', '@topic two', '@all followed'])
    })

    it('notifies users of personal mentions in muted channels and topics', async () => {
      const { mona } = at.people
      const reads = await readers.of(at, mona)
      await subscription(at, mona, { is_muted: true, push_notifications: false })
      await policy(at, mona, 'Mine', 1)

      await say(at, 'Mine', '@**Mona Test** come')

      assert.deepEqual(await reads.contents(), ['@Mona Test come'])
    })

    it('sends no notification to users who have disabled both online and offline notifications', async () => {
      const { adam } = at.people
      const reads = await readers.of(at, adam)
      const both = (value: boolean) => ({
        enable_offline_push_notifications: value,
        enable_online_push_notifications: value,
      })
      await subscription(at, adam, { push_notifications: true })

      await settings(adam, both(false))
      await say(at, 'Neither', '@**Adam Test** unwanted')
      await settings(adam, { enable_online_push_notifications: true })
      await say(at, 'Neither', '@**Adam Test** as any channel message')
      await settings(adam, both(true))

      assert.deepEqual(await reads.contents(), ['@Adam Test as any channel message'])
    })

    it('sends no notification of own messages, of muted users, or without a subscription', async () => {
      const { alice, bob, olga } = at.people
      const [aliceReads, olgaReads] = [await readers.of(at, alice), await readers.of(at, olga)]

      await say(at, 'Own', '@**Alice Test** and @**all**')
      const [everyone] = (await olgaReads.notices()).map(({ message_id }) => message_id)
      await olga.post(`/users/me/muted_users/${alice.id}`)
      await settleReading(at)
      const uponMuting = await olgaReads.outline()
      await alice.whisper([olga], 'muted')
      await say(at, 'Own', '@**Olga Test** muted')
      await bob.say(at.channels.design, 'Far', '@**Olga Test** not subscribed')
      await olga.delete(`/users/me/muted_users/${alice.id}`)

      assert.deepEqual(await aliceReads.notices(), [])
      assert.deepEqual(
        uponMuting,
        [['remove', [everyone]]],
        'messages of a muted user are marked as read',
      )
      assert.deepEqual(await olgaReads.notices(), [])
    })

    it('notifies users who are online too, by default', async () => {
      const { alice, carol } = at.people
      const reads = await readers.of(at, carol)
      const { body } = await carol.post('/register', { event_types: ['message'] })
      await carol.post('/users/me/presence', { status: 'active', ping_only: true })

      await alice.whisper([carol], 'online')
      await settle(at)
      await carol.delete('/events', { queue_id: body.queue_id })

      assert.equal((await reads.contents())[0], 'online')
    })

    it('considers users online only if they are active and have a queue for messages', async () => {
      const { alice, carol } = at.people
      const reads = await readers.of(at, carol)
      await settings(carol, { enable_online_push_notifications: false })
      const { body: withoutMessages } = await carol.post('/register', {
        event_types: ['realm_user'],
      })

      await carol.post('/users/me/presence', { status: 'active', ping_only: true })
      await alice.whisper([carol], 'active, but no client takes messages')
      await settle(at)
      const { body } = await carol.post('/register', { event_types: ['message'] })
      await alice.whisper([carol], 'present')
      await settle(at)
      at.clock.jump(200)
      await alice.whisper([carol], 'a client, but not active for 200 seconds')
      await settle(at)
      for (const { queue_id } of [withoutMessages, body])
        await carol.delete('/events', { queue_id })

      assert.deepEqual((await reads.contents()).slice(0, 2), [
        'active, but no client takes messages',
        'a client, but not active for 200 seconds',
      ])
      await settings(carol, { enable_online_push_notifications: true })
    })

    it('notifies users of notification messages', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)

      const groupId = await makeGroup(alice, 'welcome', { members: [alice.id] })
      const answer = await alice.post(`/user_groups/${groupId}/members`, { add: [bob.id] })
      const notices = await reads.notices()

      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(
        notices.map(({ type, recipient_type, sender_full_name }) => [
          type,
          recipient_type,
          sender_full_name,
        ]),
        [['message', 'direct', 'Notification Bot']],
      )
    })
  },
  {},
  withRelay,
)

everyHost(
  'send-message to guests with limited access',
  (at) => {
    it('does not name the sender', async () => {
      const { alice, gus } = at.people
      await gus.post('/users/me/android_gcm_reg_id', { token: 'guest' })
      const reads = await readers.of(at, gus)
      await alice.delete('/users/me/subscriptions', { subscriptions: ['general'] })

      await say(at, 'Who', '@**Gus Test** who am I?')

      const [notice] = await reads.notices()
      assert.equal(notice?.['sender_full_name'], 'Unknown user')
      assert.equal(notice?.['sender_id'], alice.id)
      const unknown = `${at.host.origin}/user_avatars/default/unknown.png?version=1`
      assert.equal(notice?.['sender_avatar_url'], unknown)
      const { gcm_payload, apns_payload } = relay.of(legacyPath).at(-1)?.body ?? {}
      assert.equal(gcm_payload.sender_full_name, 'Unknown user')
      assert.notEqual(gcm_payload.sender_email, alice.email)
      assert.equal(apns_payload.alert.subtitle, 'Unknown user mentioned you:')
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
  withRelay,
)
