import assert from 'node:assert/strict'
import { it } from 'node:test'

import { archiveAware, hearing, makeChannel } from '../support/channels.js'
import { withoutIds, type FedEvent } from '../support/event-feed.js'
import { makeGroup } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'

const onlyGroups = { event_types: ['user_group'] }
const showingDeactivated = {
  ...onlyGroups,
  client_capabilities: { notification_settings_null: true, include_deactivated_groups: true },
}
const onlyChannels = { event_types: ['stream'] }

/** A setting value that names Bob and Carol. */
const naming = (at: HostCase, ...names: ('bob' | 'carol')[]) => ({
  direct_members: names.map((name) => at.people[name].id),
  direct_subgroups: [],
})

const groupEvent = (group_id: number, data: object) => ({
  type: 'user_group',
  op: 'update',
  group_id,
  data,
})

const channelEvent = (stream_id: number, name: string, property: string, value: object) => ({
  type: 'stream',
  op: 'update',
  stream_id,
  name,
  property,
  value,
})

/** The updates of groups and channels, without memberships. */
const updates = (events: readonly FedEvent[]) =>
  withoutIds(events.filter(({ op }) => op === 'update'))

everyHost('reactivate-user', (at) => {
  it('sends the settings of groups that name the user again to all users', async () => {
    const { olga, adam, alice, bob, carol, gus } = at.people
    const id = await makeGroup(alice, 'pair', {
      can_mention_group: naming(at, 'bob', 'carol'),
      can_join_group: naming(at, 'carol'),
    })
    await makeGroup(alice, 'others', { members: [carol.id], can_join_group: naming(at, 'bob') })
    await adam.delete(`/users/${carol.id}`)

    const received = await hearing(
      { olga, bob, gus },
      () => reactivate(at, adam, carol),
      onlyGroups,
    )

    const expected = [
      groupEvent(id, { can_join_group: naming(at, 'carol') }),
      groupEvent(id, { can_mention_group: naming(at, 'bob', 'carol') }),
    ]
    for (const events of Object.values(received)) assert.deepEqual(updates(events), expected)
    const kinds = received.bob.map(({ op }) => op)
    assert.deepEqual(kinds.slice(-2), ['update', 'update'], 'after the groups that they are in')
  })

  it('sends settings of deactivated groups to clients that show such groups', async () => {
    const { adam, alice, bob, carol } = at.people
    const id = await makeGroup(alice, 'closed pair', { can_leave_group: naming(at, 'carol') })
    await alice.post(`/user_groups/${id}/deactivate`)
    const [shows, hides] = [await bob.listen(showingDeactivated), await bob.listen(onlyGroups)]

    await adam.delete(`/users/${carol.id}`)
    await reactivate(at, adam, carol)

    const ofGroup = (events: readonly FedEvent[]) =>
      updates(events.filter(({ group_id }) => group_id === id))
    assert.deepEqual(ofGroup(await shows.drain()), [
      groupEvent(id, { can_leave_group: naming(at, 'carol') }),
    ])
    assert.deepEqual(ofGroup(await hides.drain()), [])
  })

  it('sends settings of channels to users with access to their metadata', async () => {
    const { olga, adam, alice, bob, carol, gus } = at.people
    const can_send_message_group = naming(at, 'bob', 'carol')
    const can_remove_subscribers_group = naming(at, 'carol')
    const open = await makeChannel(alice, 'open pair', { can_send_message_group })
    const closed = await makeChannel(alice, 'closed pair', {
      invite_only: true,
      can_remove_subscribers_group,
    })
    await makeChannel(alice, 'other pair', { can_send_message_group: naming(at, 'bob') })
    await adam.delete(`/users/${carol.id}`)

    const received = await hearing(
      { olga, alice, bob, gus },
      () => reactivate(at, adam, carol),
      onlyChannels,
    )

    const ofOpen = channelEvent(open, 'open pair', 'can_send_message_group', can_send_message_group)
    const ofClosed = channelEvent(
      closed,
      'closed pair',
      'can_remove_subscribers_group',
      can_remove_subscribers_group,
    )
    assert.deepEqual(withoutIds(received.olga), [ofOpen, ofClosed], 'an administrator')
    assert.deepEqual(withoutIds(received.bob), [ofOpen], 'without access to the private channel')
    assert.deepEqual(withoutIds(received.gus), [], 'a guest who is subscribed to neither channel')
    assert.deepEqual(
      withoutIds(received.alice),
      [ofOpen, ofClosed],
      'an administrator of both channels',
    )
  })

  it('sends settings of archived channels to clients that support archived channels', async () => {
    const { olga, adam, bob, carol } = at.people
    const can_send_message_group = naming(at, 'carol')
    const id = await makeChannel(olga, 'old pair', { can_send_message_group })
    await olga.delete(`/streams/${id}`)
    await adam.delete(`/users/${carol.id}`)
    const { event_types: _, ...aware } = archiveAware
    const feeds = [await bob.listen({ ...aware, ...onlyChannels }), await bob.listen(onlyChannels)]

    await reactivate(at, adam, carol)

    const [supporting, other] = await Promise.all(feeds.map(async (feed) => feed.drain()))
    const ofOld = (event: FedEvent): boolean => event['stream_id'] === id
    assert.deepEqual(withoutIds(supporting?.filter(ofOld) ?? []), [
      channelEvent(id, 'old pair', 'can_send_message_group', can_send_message_group),
    ])
    assert.deepEqual(other?.filter(ofOld), [])
  })
})

everyHost(
  'deactivate-user',
  (at) => {
    it('sends settings that named the user only to guests without access to the user', async () => {
      const { olga, adam, alice, bob, carol, gus } = at.people
      await carol.delete('/users/me/subscriptions', { subscriptions: ['general'] })
      const value = naming(at, 'bob', 'carol')
      const group = await makeGroup(alice, 'pair', { can_mention_group: value })
      const { window } = at.channels
      const change = { can_send_message_group: { new: value } }
      await olga.patch(`/streams/${window}`, change)
      await makeChannel(alice, 'not for guests', { can_send_message_group: value })

      const received = await hearing({ olga, bob, gus }, () => adam.delete(`/users/${carol.id}`), {
        event_types: ['user_group', 'stream'],
      })

      assert.deepEqual([received.olga, received.bob], [[], []])
      assert.deepEqual(updates(received.gus), [
        groupEvent(group, { can_mention_group: naming(at, 'bob') }),
        channelEvent(window, 'window', 'can_send_message_group', naming(at, 'bob')),
      ])
    })

    it('sends no event if all guests have access to the user', async () => {
      const { adam, alice, bob, carol, gus } = at.people
      await reactivate(at, adam, carol)
      await carol.whisper([gus], 'Here I am')
      await makeGroup(alice, 'known pair', { can_mention_group: naming(at, 'carol') })

      const received = await hearing({ bob, gus }, () => adam.delete(`/users/${carol.id}`), {
        event_types: ['user_group', 'stream'],
      })

      assert.deepEqual(received, { bob: [], gus: [] })
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
