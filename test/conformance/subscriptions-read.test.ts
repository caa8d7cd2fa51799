import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

/** The keys of every channel object. */
const channelKeys = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
  'creator_id',
  'date_created',
  'description',
  'first_message_id',
  'folder_id',
  'history_public_to_subscribers',
  'invite_only',
  'is_announcement_only',
  'is_archived',
  'is_recently_active',
  'is_web_public',
  'message_retention_days',
  'name',
  'rendered_description',
  'stream_id',
  'stream_post_policy',
  'stream_weekly_traffic',
  'subscriber_count',
  'topics_policy',
]

const personalKeys = [
  'audible_notifications',
  'color',
  'desktop_notifications',
  'email_notifications',
  'in_home_view',
  'is_muted',
  'pin_to_top',
  'push_notifications',
  'wildcard_mentions_notify',
]

const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name)
const keys = (item: object): string[] => Object.keys(item).sort()

everyHost('get-subscriptions', (at) => {
  it('lists the active channels to which the caller is subscribed, by name', async () => {
    const { alice } = at.people

    const answer = await alice.get('/users/me/subscriptions')

    const list = answer.body.subscriptions
    assert.deepEqual(names(list), ['design', 'general', 'secret', 'vault', 'window'])
    assert.deepEqual(keys(list[0]!), [...channelKeys, ...personalKeys].sort())
    assert.deepEqual(
      list.map((item) => item.subscriber_count),
      [2, 8, 1, 2, 1],
    )
  })

  it('includes the active subscribers on request', async () => {
    const { alice, bob, gus } = at.people

    for (const include_subscribers of ['true', 'partial']) {
      const answer = await bob.get('/users/me/subscriptions', { include_subscribers })
      const [design, general] = answer.body.subscriptions
      assert.deepEqual(design!.subscribers, [alice.id, bob.id])
      assert.equal(general!.subscribers.length, 8, 'deactivated users are omitted')
    }
    const ofGuest = await gus.get('/users/me/subscriptions', { include_subscribers: 'true' })
    assert.equal(ofGuest.body.subscriptions[0]!.subscribers.length, 8)
    assertRefused(
      await bob.get('/users/me/subscriptions', { include_subscribers: 'some' }),
      'Invalid include_subscribers',
    )
  })
})

everyHost('get-subscription-status', (at) => {
  const status = (client: Client, user: Client, channelId: number) =>
    client.get(`/users/${user.id}/subscriptions/${channelId}`)

  it('returns whether a user is subscribed', async () => {
    const { alice, carol } = at.people

    const [yes, no] = [
      await status(carol, alice, at.channels.design),
      await status(carol, carol, at.channels.design),
    ]

    assert.deepEqual(yes.body, { result: 'success', msg: '', is_subscribed: true })
    assert.equal(no.body.is_subscribed, false)
  })

  it('rejects inaccessible channels, bots, and users who are unknown or deactivated', async () => {
    const { alice, bob, bot, dora, gus, adam } = at.people

    assertRefused(await status(bob, alice, at.channels.secret), 'Invalid channel ID')
    assertRefused(await status(gus, alice, at.channels.design), 'Invalid channel ID')
    assertRefused(await status(bob, alice, at.unknownId), 'Invalid channel ID')
    assertRefused(await status(bob, bot, at.channels.general), 'No such user')
    assertRefused(await status(bob, dora, at.channels.general), 'User is deactivated')
    assertRefused(
      await bob.get(`/users/${at.unknownId}/subscriptions/${at.channels.general}`),
      'No such user',
    )
    assert.equal((await status(adam, alice, at.channels.secret)).body.is_subscribed, true)
  })
})

everyHost(
  'get-subscription-status',
  (at) => {
    it('rejects users to whom a guest has no access, and accepts all users from other callers', async () => {
      const { alice, carol, gus } = at.people
      const status = (client: Client, user: Client) =>
        client.get(`/users/${user.id}/subscriptions/${at.channels.general}`)
      await carol.delete('/users/me/subscriptions', { subscriptions: ['general'] })

      assertRefused(await status(gus, carol), 'Insufficient permission')
      assert.equal((await status(gus, alice)).body.is_subscribed, true)
      assert.equal((await status(alice, carol)).body.is_subscribed, false)
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)

everyHost(
  'register-queue',
  (at) => {
    const register = async (client: Client, params: Record<string, unknown> = {}) =>
      (
        await client.post('/register', {
          fetch_event_types: ['subscription', 'stream', 'default_streams', 'default_stream_groups'],
          ...params,
        })
      ).body
    const archiveAware = {
      client_capabilities: { notification_settings_null: true, archived_channels: true },
    }

    it('divides the accessible channels into subscribed, unsubscribed and never subscribed', async () => {
      const { bob } = at.people
      await bob.delete('/users/me/subscriptions', { subscriptions: ['design'] })

      const snapshot = await register(bob)

      assert.deepEqual(names(snapshot.subscriptions), ['general', 'vault'])
      assert.deepEqual(names(snapshot.unsubscribed), ['design'])
      assert.deepEqual(names(snapshot.never_subscribed), ['empty', 'window'])
      assert.deepEqual(keys(snapshot.unsubscribed[0]!), [...channelKeys, ...personalKeys].sort())
      assert.deepEqual(keys(snapshot.never_subscribed[0]!), channelKeys)
      assert.deepEqual(names(snapshot.streams), ['design', 'empty', 'general', 'vault', 'window'])
      assert.deepEqual(keys(snapshot.streams[0]!), channelKeys)
    })

    it('returns archived channels only to clients that support them', async () => {
      const { alice, carol } = at.people

      const [aware, unaware] = [await register(alice, archiveAware), await register(alice)]

      assert.equal(names(aware.subscriptions).includes('attic'), true)
      assert.equal(names(unaware.subscriptions).includes('attic'), false)
      assert.equal(names(aware.streams).includes('attic'), true)
      assert.equal(names(unaware.streams).includes('attic'), false)
      assert.equal(
        names((await register(carol, archiveAware)).never_subscribed).includes('attic'),
        true,
      )
    })

    it('returns all channels to administrators, and subscribed and web-public channels to guests', async () => {
      const { adam, gus } = at.people

      const [all, few] = [await register(adam), await register(gus)]

      assert.deepEqual(names(all.subscriptions), ['general'])
      assert.deepEqual(names(all.never_subscribed), [
        'design',
        'empty',
        'secret',
        'vault',
        'window',
      ])
      assert.deepEqual(names(few.subscriptions), ['general'])
      assert.deepEqual(names(few.never_subscribed), ['window'])
      assert.deepEqual(names(few.streams), ['general', 'window'])
    })

    it('includes subscribers only on request', async () => {
      const { carol, alice } = at.people

      const [with_, without] = [
        await register(carol, { include_subscribers: 'true' }),
        await register(carol),
      ]

      const window = with_.never_subscribed.find((item) => item.name === 'window')
      assert.deepEqual(window!.subscribers, [alice.id])
      assert.equal('subscribers' in without.never_subscribed[0]!, false)
      assert.equal(without.subscriptions[0]!.subscriber_count, 8)
    })

    it('replaces inherited null values for clients that do not support them', async () => {
      const { carol } = at.people

      const [aware, unaware] = [await register(carol, archiveAware), await register(carol)]

      assert.equal(aware.subscriptions[0]!.desktop_notifications, null)
      assert.equal(aware.subscriptions[0]!.wildcard_mentions_notify, null)
      assert.equal(unaware.subscriptions[0]!.desktop_notifications, true)
      assert.equal(unaware.subscriptions[0]!.email_notifications, false)
      assert.equal(unaware.subscriptions[0]!.wildcard_mentions_notify, true)
    })

    it('lists the default channels, but not to guests', async () => {
      const { carol, gus } = at.people

      const [member, guest] = [await register(carol), await register(gus)]

      assert.deepEqual(member.realm_default_streams, [at.channels.general])
      assert.deepEqual(guest.realm_default_streams, [])
      assert.deepEqual(member.realm_default_stream_groups, [])
      const folders = await register(carol, { fetch_event_types: ['channel_folders'] })
      assert.deepEqual(folders.channel_folders, [])
    })

    it('continues without a gap in events', async () => {
      const { carol, alice } = at.people
      const feed = await carol.listen({
        event_types: ['subscription'],
        fetch_event_types: ['subscription'],
      })
      await makeChannel(alice, 'later', { subscribers: [carol.id] })

      const events = await feed.drain()

      assert.equal(names(feed.snapshot['subscriptions']).includes('later'), false)
      assert.deepEqual(names(events[0]?.['subscriptions']), ['later'])
    })
  },
  { userSettings: { carol: { enable_stream_desktop_notifications: true } } },
)

everyHost(
  'get-subscriptions',
  (at) => {
    it('returns a partial list of very many subscribers if the client supports that', async () => {
      const { alice } = at.people
      const crowd = Array.from({ length: 249 }, (_, index) => at.people.bot.id + 1000 + index)

      const answer = await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'crowded' }],
        principals: [alice.id, ...crowd],
      })

      assert.equal(Object.keys(answer.body.subscribed).length, 250)
      assert.equal(answer.body.new_subscription_messages_sent, false)
      const crowded = async (include_subscribers: string) =>
        (
          await alice.get('/users/me/subscriptions', { include_subscribers })
        ).body.subscriptions.find((item) => item.name === 'crowded')
      assert.deepEqual((await crowded('true'))!.subscribers, [alice.id, ...crowd])
      const partial = await crowded('partial')
      assert.equal('subscribers' in partial!, false)
      assert.deepEqual(partial!.partial_subscribers, [alice.id, ...crowd])
      assert.equal(partial!.subscriber_count, 250)
    })
  },
  {
    more: ({ people }) => ({
      bots: [0, ...Array.from({ length: 249 }, (_, index) => 1000 + index)].map((offset) => ({
        id: people.bot + offset,
        email: `crowd${offset}@crowd.example`,
        full_name: `Crowd ${offset}`,
        owner_id: people.alice,
      })),
    }),
  },
)
