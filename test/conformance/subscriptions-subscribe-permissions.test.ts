import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing, kinds, makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const subscribe = (client: Client, name: string, params: Record<string, unknown> = {}) =>
  client.post('/users/me/subscriptions', { subscriptions: [{ name }], ...params })

everyHost('subscribe', (at) => {
  it('fails for an unreadable channel, or lists it if authorization errors are not fatal', async () => {
    const { bob, adam } = at.people

    const fatal = await subscribe(bob, 'secret')
    const listed = await bob.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }, { name: 'window' }],
      authorization_errors_fatal: false,
    })
    const byAdministrator = await subscribe(adam, 'secret')

    assertRefused(fatal, 'Unable to access channel (secret).')
    assert.deepEqual(listed.body.unauthorized, ['secret'])
    assert.deepEqual(listed.body.subscribed, { [bob.id]: ['window'] })
    assertRefused(byAdministrator, 'Unable to access channel (secret).')
  })

  it('lets the members of a permitted group subscribe to a private channel', async () => {
    const { alice, carol } = at.people
    const group = await makeGroup(alice, 'insiders', { members: [carol.id] })
    await makeChannel(alice, 'lounge', { invite_only: true, can_subscribe_group: group })

    const answer = await subscribe(carol, 'lounge')

    assert.deepEqual(answer.body.subscribed, { [carol.id]: ['lounge'] })
  })

  it('rejects guests, and checks bots by their role', async () => {
    const { gus, bot } = at.people

    assertRefused(await subscribe(gus, 'general'), 'Not allowed for guest users')
    assert.equal((await subscribe(bot, 'design')).status, 200)
  })

  it('rejects principals who do not exist or are deactivated', async () => {
    const { alice, bob, dora } = at.people
    const refused = (principals: unknown) => subscribe(alice, 'design', { principals })

    assertRefused(await refused([bob.id, at.unknownId]), 'No such user')
    assertRefused(await refused(['nobody@nowhere.example']), 'No such user')
    assertRefused(await refused([dora.id]), 'User is deactivated')
  })

  it('does nothing on an error, and does not create the channel', async () => {
    const { alice } = at.people
    await subscribe(alice, 'half made', { principals: [at.unknownId] })

    const answer = await alice.get('/get_stream_id', { stream: 'half made' })

    assertRefused(answer, "Invalid channel name 'half made'")
  })

  it('validates names, descriptions and colors', async () => {
    const { alice } = at.people
    const refused = (item: unknown) =>
      alice.post('/users/me/subscriptions', { subscriptions: [item] })

    assertRefused(await refused({ name: ' ' }), "Channel name can't be empty.")
    assertRefused(
      await refused({ name: 'x'.repeat(61) }),
      'Channel name too long (limit: 60 characters).',
    )
    assertRefused(
      await refused({ name: 'a\u0007b' }),
      'Invalid character in channel name, at position 2.',
    )
    assertRefused(
      await refused({ name: 'long', description: 'd'.repeat(1025) }),
      'description is too long (limit: 1024 characters)',
    )
    assertRefused(await refused({}), 'subscriptions[0]["name"] field is missing')
    assertRefused(
      await refused({ name: 'red', color: 'red' }),
      'Invalid subscriptions[0]: Value error, add.color is not a valid hex color code',
    )
    assertRefused(
      await refused({ name: 'x', topic: 'y' }),
      'Argument "topic" at subscriptions[0]["topic"] is unexpected',
    )
  })

  it('validates message retention, which only owners may set', async () => {
    const { olga, adam } = at.people
    const createWithRetention = (client: Client, name: string, message_retention_days: unknown) =>
      subscribe(client, name, { message_retention_days })

    for (const value of [0, -3, 'forever']) {
      assertRefused(
        await createWithRetention(olga, 'kept', value),
        `Bad value for 'message_retention_days': ${value}`,
        {
          code: 'REQUEST_VARIABLE_INVALID',
          var_name: 'message_retention_days',
          bad_value: value,
        },
      )
    }
    assertRefused(await createWithRetention(adam, 'kept', 30), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
    assert.equal((await createWithRetention(adam, 'kept by default', 'realm_default')).status, 200)
    const received = await hearing({ adam }, () => createWithRetention(olga, 'kept', '"unlimited"'))
    assert.equal(received.adam[0]?.['streams'][0].message_retention_days, -1)
  })

  it('validates folders, privacy and default channels', async () => {
    const { adam, bob } = at.people
    const refused = (client: Client, params: Record<string, unknown>) =>
      subscribe(client, 'not made', params)

    assertRefused(await refused(adam, { folder_id: 7 }), 'Invalid channel folder ID')
    assertRefused(await refused(bob, { is_default_stream: true }), 'Insufficient permission')
    assertRefused(
      await refused(adam, { is_default_stream: true, invite_only: true }),
      'A default channel cannot be private.',
    )
    assertRefused(await refused(adam, { topics_policy: 'none' }), 'Invalid topics_policy')
  })

  it('validates permission settings', async () => {
    const { alice, bob, dora } = at.people
    const refused = (params: Record<string, unknown>) => subscribe(alice, 'not made', params)
    const [nobody, everyone, internet] = [
      await systemGroupId(alice, 'role:nobody'),
      await systemGroupId(alice, 'role:everyone'),
      await systemGroupId(alice, 'role:internet'),
    ]

    assertRefused(await refused({ can_send_message_group: at.unknownId }), 'Invalid user group')
    assertRefused(
      await refused({
        can_send_message_group: { direct_members: [dora.id], direct_subgroups: [] },
      }),
      `Invalid user ID: ${dora.id}`,
    )
    assertRefused(
      await refused({
        can_send_message_group: { direct_members: [bob.id], direct_subgroups: [at.unknownId] },
      }),
      `Invalid user group ID: ${at.unknownId}`,
    )
    assertRefused(
      await refused({ can_subscribe_group: everyone }),
      "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
    )
    assertRefused(
      await refused({ can_send_message_group: internet }),
      "'can_send_message_group' setting cannot be set to 'role:internet' group.",
    )
    assertRefused(
      await refused({ can_delete_any_message_group: nobody }),
      'Insufficient permission',
    )
    assert.equal(
      (await subscribe(at.people.mona, 'moderated', { can_delete_any_message_group: nobody }))
        .status,
      200,
    )
  })

  it('sets the given permissions, and returns a single group as its id', async () => {
    const { alice, bob } = at.people
    const members = await systemGroupId(alice, 'role:members')
    const received = await hearing({ bob }, () =>
      subscribe(alice, 'governed', {
        can_send_message_group: { direct_members: [], direct_subgroups: [members] },
        can_remove_subscribers_group: { direct_members: [bob.id], direct_subgroups: [] },
        topics_policy: 'disable_empty_topic',
      }),
    )

    const [channel] = received.bob[0]?.['streams'] ?? []
    assert.equal(channel.can_send_message_group, members)
    assert.deepEqual(channel.can_remove_subscribers_group, {
      direct_members: [bob.id],
      direct_subgroups: [],
    })
    assert.equal(channel.topics_policy, 'disable_empty_topic')
  })
})

everyHost(
  'subscribe',
  (at) => {
    it('requires permission in the organization or the channel to subscribe others', async () => {
      const { alice, bob, carol, adam, mona } = at.people
      await makeChannel(adam, 'picky', {
        can_add_subscribers_group: { direct_members: [bob.id], direct_subgroups: [] },
      })
      const addCarol = (client: Client, name: string) =>
        subscribe(client, name, { principals: [carol.id] })

      assertRefused(await addCarol(alice, 'picky'), 'Insufficient permission')
      assertRefused(await addCarol(alice, 'design'), 'Insufficient permission')
      assert.equal((await subscribe(alice, 'picky', { principals: [alice.email] })).status, 200)
      assert.equal((await addCarol(bob, 'picky')).status, 200)
      assert.equal((await addCarol(adam, 'design')).status, 200)
      assert.equal((await addCarol(mona, 'empty')).status, 200, 'the setting names moderators')
    })

    it('subscribes others to all of the channels or to none', async () => {
      const { adam, alice, bob, carol } = at.people
      await makeChannel(adam, 'open to bob', {
        can_add_subscribers_group: { direct_members: [bob.id], direct_subgroups: [] },
      })
      const both = ['open to bob', 'design'].map((name) => ({ name }))
      const params = { principals: [carol.id, alice.id] }

      for (const subscriptions of [both, both.toReversed()]) {
        const answer = await bob.post('/users/me/subscriptions', { subscriptions, ...params })
        assertRefused(answer, 'Insufficient permission')
      }
      const { body } = await subscribe(bob, 'open to bob', params)

      assert.deepEqual(body.subscribed, {
        [carol.id]: ['open to bob'],
        [alice.id]: ['open to bob'],
      })
    })

    it("requires the organization's permission to create channels", async () => {
      const { alice, mona, olga, adam } = at.people

      assertRefused(await subscribe(alice, 'new'), 'Insufficient permission')
      assertRefused(await subscribe(mona, 'new', { invite_only: true }), 'Insufficient permission')
      assertRefused(
        await subscribe(adam, 'new', { is_web_public: true }),
        'Insufficient permission',
      )
      assert.equal((await subscribe(mona, 'new')).status, 200)
      assert.equal((await subscribe(olga, 'newer', { invite_only: true })).status, 200)
    })

    it('creates web-public channels and sends their events to all users', async () => {
      const { olga, gus } = at.people
      const received = await hearing({ gus }, () =>
        subscribe(olga, 'fair', { is_web_public: true }),
      )

      assert.deepEqual(kinds(received.gus), ['stream/create', 'subscription/peer_add'])
      assert.equal(received.gus[0]?.['streams'][0].is_web_public, true)
      assertRefused(
        await subscribe(olga, 'fairer', { is_web_public: true, invite_only: true }),
        'Invalid parameters',
      )
    })
  },
  {
    settings: {
      enable_spectator_access: true,
      can_add_subscribers_group: 'role:moderators',
      can_create_public_channel_group: 'role:moderators',
      can_create_private_channel_group: 'role:owners',
    },
  },
)
