import assert from 'node:assert/strict'
import { it } from 'node:test'

import { archiveAware, hearing, kinds, makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const update = (client: Client, id: number, params: Record<string, unknown>) =>
  client.patch(`/streams/${id}`, params)
const alone = (client: Client) => ({ direct_members: [client.id], direct_subgroups: [] })

everyHost('update-stream', (at) => {
  it('renames the channel, and sends the event with the old name to users who can see it', async () => {
    const { alice, bob, gus } = at.people
    const id = await makeChannel(alice, 'oldname', { subscribers: [alice.id, gus.id] })
    const received = await hearing({ bob, gus, alice }, async () => {
      assert.deepEqual((await update(alice, id, { new_name: ' newname ' })).body, bareSuccess)
    })

    const event = {
      type: 'stream',
      op: 'update',
      stream_id: id,
      name: 'oldname',
      property: 'name',
      value: 'newname',
    }
    assert.deepEqual(withoutIds(received.bob), [event])
    assert.deepEqual(withoutIds(received.gus), [event])
    assert.deepEqual(withoutIds(received.alice), [event])
    assert.equal((await bob.get('/get_stream_id', { stream: 'newname' })).body.stream_id, id)
    assert.equal((await update(alice, id, { new_name: 'NewName' })).status, 200)
  })

  it('changes the description, and sends the event only to users who can see a private channel', async () => {
    const { alice, bob, adam, mona } = at.people
    const id = await makeChannel(alice, 'described', { invite_only: true, subscribers: [bob.id] })
    const received = await hearing({ bob, adam, mona }, () =>
      update(alice, id, { description: 'All *about* it' }),
    )

    const event = {
      type: 'stream',
      op: 'update',
      stream_id: id,
      name: 'described',
      property: 'description',
      value: 'All *about* it',
      rendered_description: '<p>All <em>about</em> it</p>',
    }
    assert.deepEqual(withoutIds(received.bob), [event])
    assert.deepEqual(withoutIds(received.adam), [event])
    assert.deepEqual(received.mona, [])
  })

  it('sends no events for values that do not change', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'steady', { description: 'Same' })
    const nobody = await systemGroupId(alice, 'role:nobody')
    const received = await hearing({ bob }, () =>
      update(alice, id, {
        description: 'Same',
        is_private: false,
        is_archived: true,
        topics_policy: 'inherit',
        can_subscribe_group: { new: { direct_members: [], direct_subgroups: [] } },
        can_resolve_topics_group: { new: nobody, old: nobody },
      }),
    )

    assert.deepEqual(received.bob, [])
    assert.equal((await bob.get(`/streams/${id}`)).body.stream.is_archived, false)
  })

  it('sends a channel that becomes public, with its subscribers, to users who gain access', async () => {
    const { alice, bob, mona, gus } = at.people
    const id = await makeChannel(alice, 'opening', {
      invite_only: true,
      subscribers: [alice.id, bob.id],
    })
    const received = await hearing({ alice, mona, gus }, () =>
      update(alice, id, { is_private: false }),
    )

    assert.deepEqual(kinds(received.mona), ['stream/create', 'subscription/peer_add'])
    assert.equal(received.mona[0]?.['streams'][0].invite_only, false)
    assert.equal(received.mona[0]?.['streams'][0].history_public_to_subscribers, true)
    assert.deepEqual(received.mona[1]?.['user_ids'], [alice.id, bob.id])
    assert.deepEqual(withoutIds(received.alice), [
      {
        type: 'stream',
        op: 'update',
        stream_id: id,
        name: 'opening',
        property: 'invite_only',
        value: false,
        history_public_to_subscribers: true,
        is_web_public: false,
      },
    ])
    assert.deepEqual(received.gus, [])
  })

  it('sends the deletion of a channel that becomes private to users who lose access', async () => {
    const { alice, bob, mona, adam } = at.people
    const id = await makeChannel(alice, 'closing', { subscribers: [alice.id, bob.id] })
    const received = await hearing({ bob, mona, adam }, () =>
      update(alice, id, { is_private: true }),
    )

    assert.deepEqual(kinds(received.mona), ['stream/delete'])
    assert.deepEqual(received.mona[0]?.['stream_ids'], [id])
    assert.deepEqual(kinds(received.bob), ['stream/update:invite_only'])
    assert.equal(received.bob[0]?.['history_public_to_subscribers'], false)
    assert.deepEqual(kinds(received.adam), ['stream/update:invite_only'])
  })

  it('sends a private channel to users who gain access through a setting, and its deletion afterwards', async () => {
    const { alice, carol, mona } = at.people
    const id = await makeChannel(alice, 'granted', { invite_only: true, subscribers: [alice.id] })
    const group = await makeGroup(alice, 'granted ones', { members: [carol.id] })
    const nobody = await systemGroupId(alice, 'role:nobody')
    const received = await hearing({ alice, carol, mona }, async () => {
      await update(alice, id, { can_subscribe_group: { new: group } })
      await update(alice, id, { can_subscribe_group: { new: nobody, old: group } })
    })

    assert.deepEqual(kinds(received.carol), [
      'stream/create',
      'subscription/peer_add',
      'stream/delete',
    ])
    assert.deepEqual(
      received.alice.map(({ property, value }) => [property, value]),
      [
        ['can_subscribe_group', group],
        ['can_subscribe_group', nobody],
      ],
    )
    assert.deepEqual(received.mona, [])
  })

  it('sends three events for a change of the group that can post', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'announced')
    const administrators = await systemGroupId(alice, 'role:administrators')
    const received = await hearing({ bob }, () =>
      update(alice, id, { can_send_message_group: { new: administrators } }),
    )

    assert.deepEqual(
      received.bob.map(({ property, value }) => [property, value]),
      [
        ['can_send_message_group', administrators],
        ['stream_post_policy', 2],
        ['is_announcement_only', true],
      ],
    )
    assertRefused(
      await bob.post('/messages', { type: 'channel', to: id, topic: 'x', content: 'y' }),
      'You do not have permission to post in this channel.',
    )
  })

  it('accepts anonymous groups for permissions, and refuses invalid and outdated values', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'permitted')
    const everyone = await systemGroupId(alice, 'role:everyone')
    const internet = await systemGroupId(alice, 'role:internet')

    assert.equal(
      (await update(alice, id, { can_resolve_topics_group: { new: alone(bob) } })).status,
      200,
    )
    const read = async () => (await bob.get(`/streams/${id}`)).body.stream
    assert.deepEqual((await read()).can_resolve_topics_group, alone(bob))
    assertRefused(
      await update(alice, id, { can_resolve_topics_group: { new: everyone, old: everyone } }),
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH', field_name: 'old' },
    )
    assertRefused(
      await update(alice, id, { can_administer_channel_group: { new: everyone } }),
      "'can_administer_channel_group' setting cannot be set to 'role:everyone' group.",
    )
    assertRefused(
      await update(alice, id, { can_remove_subscribers_group: { new: internet } }),
      "'can_remove_subscribers_group' setting cannot be set to 'role:internet' group.",
    )
    assertRefused(
      await update(alice, id, { can_remove_subscribers_group: { new: at.unknownId } }),
      'Invalid user group',
    )
    assertRefused(
      await update(alice, id, { can_remove_subscribers_group: { old: everyone } }),
      'new key is missing from can_remove_subscribers_group',
    )
  })

  it('lets administrators make the channel a default channel', async () => {
    const { adam, bob, alice } = at.people
    const id = await makeChannel(alice, 'greeting')
    const received = await hearing({ bob }, () => update(adam, id, { is_default_stream: true }))

    assert.deepEqual(kinds(received.bob), ['default_streams'])
    assert.equal(received.bob[0]?.['default_streams'].includes(id), true)
    assertRefused(
      await update(adam, id, { is_private: true }),
      'A default channel cannot be private.',
    )
    assertRefused(await update(alice, id, { is_default_stream: false }), 'Insufficient permission')
  })

  it('lets owners set the message retention period', async () => {
    const { olga, adam, alice } = at.people
    const id = await makeChannel(alice, 'archive me')
    const received = await hearing({ adam }, async () => {
      await update(olga, id, { message_retention_days: 30 })
      await update(olga, id, { message_retention_days: 'realm_default' })
    })

    assert.deepEqual(
      received.adam.map(({ property, value }) => [property, value]),
      [
        ['message_retention_days', 30],
        ['message_retention_days', null],
      ],
    )
    for (const client of [adam, alice]) {
      assertRefused(
        await update(client, id, { message_retention_days: 3 }),
        'Must be an organization owner',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      )
    }
    assertRefused(
      await update(olga, id, { message_retention_days: -1 }),
      "Bad value for 'message_retention_days': -1",
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'message_retention_days', bad_value: -1 },
    )
  })

  it('unarchives a channel, as a new one for clients without archived_channels', async () => {
    const { adam, alice, gus } = at.people
    const [aware, unaware, guest] = [
      await alice.listen(archiveAware),
      await alice.listen({ event_types: ['stream'] }),
      await gus.listen({ event_types: ['stream'] }),
    ]

    await update(adam, at.channels.attic, { is_archived: false })

    assert.deepEqual(
      (await aware.drain()).map(({ property, value }) => [property, value]),
      [['is_archived', false]],
    )
    const [created] = await unaware.drain()
    assert.equal(created?.['op'], 'create')
    assert.equal(created?.['streams'][0].is_archived, false)
    assert.deepEqual(await guest.drain(), [])
    assertRefused(
      await update(adam, at.channels.attic, { is_archived: false }),
      'Channel is not currently deactivated',
    )
  })

  it('does not unarchive a private channel without subscribers', async () => {
    const { adam, alice } = at.people
    const id = await makeChannel(alice, 'deserted', { invite_only: true })
    await adam.delete(`/streams/${id}`)

    assertRefused(
      await update(adam, id, { is_archived: false }),
      'Channel is private and have no subscribers',
    )
  })

  it('restricts a channel to the empty topic only if there are no other topics', async () => {
    const { adam, alice, bob } = at.people
    const id = await makeChannel(alice, 'topical', { subscribers: [alice.id] })
    await adam.post(`/streams/${id}/delete_topic`, { topic_name: 'channel events' })
    const received = await hearing({ bob }, () =>
      update(alice, id, { topics_policy: 'empty_topic_only' }),
    )
    await update(alice, id, { topics_policy: '"inherit"' })
    await alice.say(id, 'named', 'one')

    assert.equal(received.bob[0]?.['value'], 'empty_topic_only')
    assertRefused(
      await update(alice, id, { topics_policy: 'empty_topic_only' }),
      'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.',
    )
    assertRefused(await update(alice, id, { topics_policy: 'chaos' }), 'Invalid topics_policy')
  })
})
