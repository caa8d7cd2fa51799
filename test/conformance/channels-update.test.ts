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
  it('renames, telling who may know of the channel under its old name', async () => {
    const { alice, bob, gus } = at.people
    const id = await makeChannel(alice, 'oldname', { subscribers: [alice.id, gus.id] })
    const heard = await hearing({ bob, gus, alice }, async () => {
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
    assert.deepEqual(withoutIds(heard.bob), [event])
    assert.deepEqual(withoutIds(heard.gus), [event])
    assert.deepEqual(withoutIds(heard.alice), [event])
    assert.equal((await bob.get('/get_stream_id', { stream: 'newname' })).body.stream_id, id)
    assert.equal((await update(alice, id, { new_name: 'NewName' })).status, 200)
  })

  it('changes the description, telling only those who may know of a private channel', async () => {
    const { alice, bob, adam, mona } = at.people
    const id = await makeChannel(alice, 'described', { invite_only: true, subscribers: [bob.id] })
    const heard = await hearing({ bob, adam, mona }, () =>
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
    assert.deepEqual(withoutIds(heard.bob), [event])
    assert.deepEqual(withoutIds(heard.adam), [event])
    assert.deepEqual(heard.mona, [])
  })

  it('says nothing about what stays as it is', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'steady', { description: 'Same' })
    const nobody = await systemGroupId(alice, 'role:nobody')
    const heard = await hearing({ bob }, () =>
      update(alice, id, {
        description: 'Same',
        is_private: false,
        is_archived: true,
        topics_policy: 'inherit',
        can_subscribe_group: { new: { direct_members: [], direct_subgroups: [] } },
        can_resolve_topics_group: { new: nobody, old: nobody },
      }),
    )

    assert.deepEqual(heard.bob, [])
    assert.equal((await bob.get(`/streams/${id}`)).body.stream.is_archived, false)
  })

  it('makes a private channel public: new observers get it with its subscribers', async () => {
    const { alice, bob, mona, gus } = at.people
    const id = await makeChannel(alice, 'opening', {
      invite_only: true,
      subscribers: [alice.id, bob.id],
    })
    const heard = await hearing({ alice, mona, gus }, () =>
      update(alice, id, { is_private: false }),
    )

    assert.deepEqual(kinds(heard.mona), ['stream/create', 'subscription/peer_add'])
    assert.equal(heard.mona[0]?.['streams'][0].invite_only, false)
    assert.equal(heard.mona[0]?.['streams'][0].history_public_to_subscribers, true)
    assert.deepEqual(heard.mona[1]?.['user_ids'], [alice.id, bob.id])
    assert.deepEqual(withoutIds(heard.alice), [
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
    assert.deepEqual(heard.gus, [])
  })

  it('makes a public channel private: it vanishes for who is not in it', async () => {
    const { alice, bob, mona, adam } = at.people
    const id = await makeChannel(alice, 'closing', { subscribers: [alice.id, bob.id] })
    const heard = await hearing({ bob, mona, adam }, () => update(alice, id, { is_private: true }))

    assert.deepEqual(kinds(heard.mona), ['stream/delete'])
    assert.deepEqual(heard.mona[0]?.['stream_ids'], [id])
    assert.deepEqual(kinds(heard.bob), ['stream/update:invite_only'])
    assert.equal(heard.bob[0]?.['history_public_to_subscribers'], false)
    assert.deepEqual(kinds(heard.adam), ['stream/update:invite_only'])
  })

  it('shows a private channel to those whom a setting lets see it, and hides it again', async () => {
    const { alice, carol, mona } = at.people
    const id = await makeChannel(alice, 'granted', { invite_only: true, subscribers: [alice.id] })
    const group = await makeGroup(alice, 'granted ones', { members: [carol.id] })
    const nobody = await systemGroupId(alice, 'role:nobody')
    const heard = await hearing({ alice, carol, mona }, async () => {
      await update(alice, id, { can_subscribe_group: { new: group } })
      await update(alice, id, { can_subscribe_group: { new: nobody, old: group } })
    })

    assert.deepEqual(kinds(heard.carol), [
      'stream/create',
      'subscription/peer_add',
      'stream/delete',
    ])
    assert.deepEqual(
      heard.alice.map(({ property, value }) => [property, value]),
      [
        ['can_subscribe_group', group],
        ['can_subscribe_group', nobody],
      ],
    )
    assert.deepEqual(heard.mona, [])
  })

  it('tells of the group that may post in three ways', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'announced')
    const administrators = await systemGroupId(alice, 'role:administrators')
    const heard = await hearing({ bob }, () =>
      update(alice, id, { can_send_message_group: { new: administrators } }),
    )

    assert.deepEqual(
      heard.bob.map(({ property, value }) => [property, value]),
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

  it('sets each permission to nameless groups too, and refuses what is not expected', async () => {
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

  it('makes a channel a default channel for administrators', async () => {
    const { adam, bob, alice } = at.people
    const id = await makeChannel(alice, 'greeting')
    const heard = await hearing({ bob }, () => update(adam, id, { is_default_stream: true }))

    assert.deepEqual(kinds(heard.bob), ['default_streams'])
    assert.equal(heard.bob[0]?.['default_streams'].includes(id), true)
    assertRefused(
      await update(adam, id, { is_private: true }),
      'A default channel cannot be private.',
    )
    assertRefused(await update(alice, id, { is_default_stream: false }), 'Insufficient permission')
  })

  it('lets owners say how long messages are kept', async () => {
    const { olga, adam, alice } = at.people
    const id = await makeChannel(alice, 'archive me')
    const heard = await hearing({ adam }, async () => {
      await update(olga, id, { message_retention_days: 30 })
      await update(olga, id, { message_retention_days: 'realm_default' })
    })

    assert.deepEqual(
      heard.adam.map(({ property, value }) => [property, value]),
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

  it('brings an archived channel back, as a new one for clients that know no archived ones', async () => {
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

  it('does not bring a private channel back that nobody is in', async () => {
    const { adam, alice } = at.people
    const id = await makeChannel(alice, 'deserted', { invite_only: true })
    await adam.delete(`/streams/${id}`)

    assertRefused(
      await update(adam, id, { is_archived: false }),
      'Channel is private and have no subscribers',
    )
  })

  it('keeps named topics out only where there are none', async () => {
    const { adam, alice, bob } = at.people
    const id = await makeChannel(alice, 'topical', { subscribers: [alice.id] })
    await adam.post(`/streams/${id}/delete_topic`, { topic_name: 'channel events' })
    const heard = await hearing({ bob }, () =>
      update(alice, id, { topics_policy: 'empty_topic_only' }),
    )
    await update(alice, id, { topics_policy: '"inherit"' })
    await alice.say(id, 'named', 'one')

    assert.equal(heard.bob[0]?.['value'], 'empty_topic_only')
    assertRefused(
      await update(alice, id, { topics_policy: 'empty_topic_only' }),
      'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.',
    )
    assertRefused(await update(alice, id, { topics_policy: 'chaos' }), 'Invalid topics_policy')
  })
})
