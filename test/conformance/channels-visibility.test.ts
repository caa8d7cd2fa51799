import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing, kinds, makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { makeGroup } from '../support/groups.js'
import { everyHost, everySeparateHost } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

const watched = { event_types: ['stream', 'subscription', 'user_group'] } as const

everySeparateHost('update-user-group-members', (at) => {
  const members = async (groupId: number, changes: object): Promise<void> => {
    const answer = await at.people.olga.post(`/user_groups/${groupId}/members`, { ...changes })
    assert.equal(answer.status, 200, answer.text)
  }
  /** Creates a private channel with Alice as subscriber, which one setting opens to a group. */
  const openChannel = async (name: string, setting: string, groupId: number): Promise<number> =>
    makeChannel(at.people.olga, name, {
      subscribers: [at.people.alice.id],
      invite_only: true,
      [setting]: groupId,
    })

  for (const setting of [
    'can_administer_channel_group',
    'can_add_subscribers_group',
    'can_subscribe_group',
  ]) {
    it(`sends a private channel to members who gain access through ${setting}, and its deletion afterwards`, async () => {
      const { olga, adam, alice, bob, carol, gus } = at.people
      const group = await makeGroup(olga, `of ${setting}`)
      const id = await openChannel(setting, setting, group)
      const people = { olga, adam, alice, bob, carol, gus }

      const gained = await hearing(people, () => members(group, { add: [bob.id, gus.id] }), watched)
      const lost = await hearing(people, () => members(group, { delete: [bob.id] }), watched)

      assert.deepEqual(kinds(gained.bob), [
        'user_group/add_members',
        'stream/create',
        'subscription/peer_add',
      ])
      const [, created, peers] = gained.bob
      assert.deepEqual(
        created?.['streams'].map((stream: Record<string, unknown>) => [
          stream['stream_id'],
          stream['name'],
          stream['subscriber_count'],
        ]),
        [[id, setting, 0]],
      )
      assert.deepEqual([peers?.['stream_ids'], peers?.['user_ids']], [[id], [alice.id]])
      assert.deepEqual(kinds(lost.bob), ['user_group/remove_members', 'stream/delete'])
      assert.deepEqual(lost.bob[1]?.['stream_ids'], [id])
      // Guests gain no access, and the access of the others does not change.
      for (const name of ['olga', 'adam', 'alice', 'carol', 'gus'] as const) {
        assert.deepEqual(kinds(gained[name]), ['user_group/add_members'], name)
        assert.deepEqual(kinds(lost[name]), ['user_group/remove_members'], name)
      }
      assert.equal((await bob.get(`/streams/${id}`)).status, 400)
    })
  }

  it('follows nested groups', async () => {
    const { olga, bob, carol } = at.people
    const inner = await makeGroup(olga, 'inner', { members: [bob.id] })
    const outer = await makeGroup(olga, 'outer')
    const id = await openChannel('nested', 'can_subscribe_group', outer)
    const people = { bob, carol }

    const added = await hearing(people, () => members(outer, { add_subgroups: [inner] }), watched)
    const deeper = await hearing(people, () => members(inner, { add: [carol.id] }), watched)
    const removed = await hearing(
      people,
      async () => {
        const changes = { delete: [inner] }
        const answer = await olga.post(`/user_groups/${outer}/subgroups`, changes)
        assert.equal(answer.status, 200, answer.text)
      },
      watched,
    )

    const gaining = ['stream/create', 'subscription/peer_add']
    assert.deepEqual(kinds(added.bob), ['user_group/add_subgroups', ...gaining])
    assert.deepEqual(kinds(added.carol), ['user_group/add_subgroups'])
    assert.deepEqual(kinds(deeper.carol), ['user_group/add_members', ...gaining])
    assert.deepEqual(kinds(deeper.bob), ['user_group/add_members'])
    for (const events of [removed.bob, removed.carol]) {
      assert.deepEqual(kinds(events), ['user_group/remove_subgroups', 'stream/delete'])
      assert.deepEqual(events[1]?.['stream_ids'], [id])
    }
  })

  it('sends no channel events to users who also have access in another way', async () => {
    const { olga, alice, adam, bob } = at.people
    const other = await makeGroup(olga, 'also in', { members: [bob.id] })
    const group = await makeGroup(olga, 'one of two')
    await makeChannel(olga, 'two ways', {
      subscribers: [alice.id],
      invite_only: true,
      can_subscribe_group: group,
      can_add_subscribers_group: other,
    })
    const add = [alice.id, adam.id, bob.id]

    const received = await hearing({ alice, adam, bob }, () => members(group, { add }), watched)
    const after = await hearing(
      { alice, adam, bob },
      () => members(group, { delete: add }),
      watched,
    )

    for (const events of Object.values(received)) {
      assert.deepEqual(kinds(events), ['user_group/add_members'])
    }
    for (const events of Object.values(after)) {
      assert.deepEqual(kinds(events), ['user_group/remove_members'])
    }
  })

  it('sends several channels in one event', async () => {
    const { olga, bob } = at.people
    const group = await makeGroup(olga, 'of many')
    const ids = [
      await openChannel('first of many', 'can_subscribe_group', group),
      await openChannel('second of many', 'can_administer_channel_group', group),
    ]

    const { bob: received } = await hearing(
      { bob },
      () => members(group, { add: [bob.id] }),
      watched,
    )

    assert.deepEqual(kinds(received), [
      'user_group/add_members',
      'stream/create',
      'subscription/peer_add',
    ])
    assert.deepEqual(
      received[1]?.['streams'].map(({ stream_id }: { stream_id: number }) => stream_id),
      ids,
    )
  })

  it('executes no more statements for more users and channels', async () => {
    const { olga, bob, carol, mona } = at.people
    const count = async (people: readonly Client[], channels: number): Promise<number> => {
      const name = `counted ${channels}`
      const group = await makeGroup(olga, name)
      for (let n = 0; n < channels; n += 1)
        await openChannel(`${name} ${n}`, 'can_subscribe_group', group)
      const add = people.map(({ id }) => id)
      return (await statementsOf(at.host, () => members(group, { add }))).length
    }

    // The first notification message to a user creates the conversation with the bot.
    await count([bob, carol, mona], 2)

    const [few, many] = [await count([bob, carol], 1), await count([bob, carol, mona], 4)]

    assert.equal(many, few)
  })
})

everyHost('deactivate-user-group', (at) => {
  it('sends the deletion of archived channels that members see through the group only', async () => {
    const { olga, bob } = at.people
    const group = await makeGroup(olga, 'to be closed', { members: [bob.id] })
    const id = await makeChannel(olga, 'of the closed', {
      invite_only: true,
      can_subscribe_group: group,
    })
    await olga.delete(`/streams/${id}`)

    const received = await hearing(
      { bob },
      async () => {
        const answer = await olga.post(`/user_groups/${group}/deactivate`)
        assert.equal(answer.status, 200, answer.text)
        await olga.patch(`/user_groups/${group}`, { deactivated: false })
      },
      watched,
    )

    assert.deepEqual(kinds(received.bob), ['user_group/remove', 'stream/delete', 'user_group/add'])
  })
})
