import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { findGroup, makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const groupEvents = { event_types: ['user_group'] }
const showsDeactivated = {
  client_capabilities: { notification_settings_null: true, include_deactivated_groups: true },
}

everyHost('update-user-group', (at) => {
  it('changes name, description and settings with one event each', async () => {
    const { alice, bob, gus } = at.people
    const id = await makeGroup(alice, 'poets')
    const members = await systemGroupId(alice, 'role:members')
    const feed = await gus.listen(groupEvents)

    const answer = await alice.patch(`/user_groups/${id}`, {
      name: ' writers ',
      description: 'Prose too',
      can_join_group: { new: members },
      can_mention_group: { new: { direct_members: [bob.id], direct_subgroups: [members] } },
    })

    assert.deepEqual(answer.body, bareSuccess)
    const about = { type: 'user_group', op: 'update', group_id: id }
    const mention = { direct_members: [bob.id], direct_subgroups: [members] }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...about, data: { name: 'writers' } },
      { ...about, data: { description: 'Prose too' } },
      { ...about, data: { can_join_group: members } },
      { ...about, data: { can_mention_group: mention } },
    ])
    const group = await findGroup(bob, 'writers')
    assert.equal(group.description, 'Prose too')
    assert.equal(group.can_join_group, members)
    assert.deepEqual(group.can_mention_group, mention)
  })

  it('sends no event for values that do not change', async () => {
    const { alice } = at.people
    const id = await makeGroup(alice, 'steady')
    const feed = await alice.listen(groupEvents)

    const answer = await alice.patch(`/user_groups/${id}`, {
      name: 'steady',
      description: 'About steady',
      deactivated: true,
      can_manage_group: { new: { direct_members: [alice.id, alice.id], direct_subgroups: [] } },
    })

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(await feed.drain(), [])
    assert.equal((await findGroup(alice, 'steady')).deactivated, false)
  })

  it('changes a setting only if the old value is the expected one', async () => {
    const { alice } = at.people
    const id = await makeGroup(alice, 'expected')
    const nobody = await systemGroupId(alice, 'role:nobody')
    const members = await systemGroupId(alice, 'role:members')
    const change = (update: object) => alice.patch(`/user_groups/${id}`, { can_join_group: update })
    const mismatch = "'old' value does not match the expected value."
    const details = { code: 'EXPECTATION_MISMATCH', field_name: 'old' }

    assertRefused(await change({ new: members, old: members }), mismatch, details)
    assertRefused(
      await change({ new: members, old: { direct_members: [1], direct_subgroups: [] } }),
      mismatch,
      details,
    )
    const normalized = await change({
      new: members,
      old: { direct_members: [], direct_subgroups: [nobody] },
    })
    assert.deepEqual(normalized.body, bareSuccess)
    assert.equal((await findGroup(alice, 'expected')).can_join_group, members)
  })

  it('rejects invalid values', async () => {
    const { alice } = at.people
    const id = await makeGroup(alice, 'fitting')
    await makeGroup(alice, 'occupied')
    const everyone = await systemGroupId(alice, 'role:everyone')
    const update = (params: Record<string, unknown>, groupId = id) =>
      alice.patch(`/user_groups/${groupId}`, params)

    assertRefused(await update({}), 'No new data supplied')
    assertRefused(await update({}, at.unknownId), 'No new data supplied')
    assertRefused(await update({ name: 'x' }, at.unknownId), 'Invalid user group')
    assertRefused(await update({ name: ' ' }), "User group name can't be empty!")
    assertRefused(await update({ name: 'occupied' }), "User group 'occupied' already exists.")
    assertRefused(await update({ can_join_group: { new: at.unknownId } }), 'Invalid user group')
    assertRefused(
      await update({ can_join_group: { new: everyone } }),
      "'can_join_group' setting cannot be set to 'role:everyone' group.",
    )
    assertRefused(await update({ can_join_group: {} }), 'new key is missing from can_join_group')
    assertRefused(
      await update({ can_join_group: { new: everyone, more: 1 } }),
      'Argument "more" at can_join_group["more"] is unexpected',
    )
  })

  it('lets only users change the group who manage it or all groups', async () => {
    const { alice, bob, adam, mona, olga, carol, gus, bot } = at.people
    const id = await makeGroup(alice, 'managed')
    const rename = (user: typeof alice, name: string) => user.patch(`/user_groups/${id}`, { name })

    for (const user of [adam, mona, bob]) {
      assertRefused(await rename(user, 'other'), 'Insufficient permission')
    }
    assertRefused(await rename(gus, 'other'), 'Not allowed for guest users')
    assertRefused(await rename(bot, 'other'), 'This endpoint does not accept bot requests.')
    assert.equal((await rename(olga, 'by the owner')).status, 200)

    const inner = await makeGroup(alice, 'managers', { members: [carol.id] })
    await alice.patch(`/user_groups/${id}`, {
      can_manage_group: { new: { direct_members: [bob.id], direct_subgroups: [inner] } },
    })
    for (const user of [bob, carol]) assert.equal((await rename(user, user.name)).status, 200)
    assertRefused(await rename(alice, 'mine'), 'Insufficient permission')
  })

  it('rejects changes of system groups by any user', async () => {
    const { olga } = at.people
    for (const name of ['role:members', 'role:nobody']) {
      const id = await systemGroupId(olga, name)
      assertRefused(
        await olga.patch(`/user_groups/${id}`, { description: 'x' }),
        'Insufficient permission',
      )
    }
  })

  it('reactivates a group', async () => {
    const { alice, bob, carol } = at.people
    const inner = await makeGroup(alice, 'inner of sleeping')
    const id = await makeGroup(alice, 'sleeping', { members: [bob.id], subgroups: [inner] })
    await alice.post(`/user_groups/${id}/deactivate`)
    const [knowing, others] = [
      await bob.listen({ ...groupEvents, ...showsDeactivated }),
      await carol.listen(groupEvents),
    ]

    const answer = await alice.patch(`/user_groups/${id}`, { deactivated: false })

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(withoutIds(await knowing.drain()), [
      { type: 'user_group', op: 'update', group_id: id, data: { deactivated: false } },
    ])
    const group = await findGroup(carol, 'sleeping')
    assert.deepEqual([group.members, group.direct_subgroup_ids], [[bob.id], [inner]])
    assert.deepEqual(withoutIds(await others.drain()), [{ type: 'user_group', op: 'add', group }])
  })

  it('sends the event of a deactivated group only to clients that show such groups', async () => {
    const { alice, bob, carol } = at.people
    const id = await makeGroup(alice, 'resting')
    await alice.post(`/user_groups/${id}/deactivate`)
    const [knowing, others] = [
      await bob.listen({ ...groupEvents, ...showsDeactivated }),
      await carol.listen(groupEvents),
    ]

    await alice.patch(`/user_groups/${id}`, { name: 'resting still' })

    assert.deepEqual(withoutIds(await knowing.drain()), [
      { type: 'user_group', op: 'update', group_id: id, data: { name: 'resting still' } },
    ])
    assert.deepEqual(await others.drain(), [])
  })
})

everyHost('deactivate-user-group', (at) => {
  it('hides the group, in the format that each client supports', async () => {
    const { alice, bob, carol } = at.people
    const id = await makeGroup(alice, 'passing')
    const [knowing, others] = [
      await bob.listen({ ...groupEvents, ...showsDeactivated }),
      await carol.listen(groupEvents),
    ]

    const answer = await alice.post(`/user_groups/${id}/deactivate`)

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(withoutIds(await knowing.drain()), [
      { type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } },
    ])
    assert.deepEqual(withoutIds(await others.drain()), [
      { type: 'user_group', op: 'remove', group_id: id },
    ])
    assert.equal((await findGroup(alice, 'passing')).deactivated, true)
  })

  it('rejects groups that are in use, and returns where', async () => {
    const { alice } = at.people
    const id = await makeGroup(alice, 'needed')
    const union = { direct_members: [alice.id], direct_subgroups: [id] }
    const above = await makeGroup(alice, 'above', { subgroups: [id] })
    const gone = await makeGroup(alice, 'above and gone', { subgroups: [id], can_join_group: id })
    await alice.post(`/user_groups/${gone}/deactivate`)
    const user = await makeGroup(alice, 'user', { can_join_group: id, can_leave_group: union })

    assertRefused(
      await alice.post(`/user_groups/${id}/deactivate`),
      'Cannot deactivate user group in use.',
      {
        code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
        objections: [
          { type: 'subgroup', supergroup_ids: [above] },
          {
            type: 'user_group',
            group_id: user,
            settings: ['can_join_group', 'can_leave_group'],
          },
        ],
      },
    )
    assert.equal((await findGroup(alice, 'needed')).deactivated, false)
  })

  it('deactivates a group that is used only by itself', async () => {
    const { alice } = at.people
    const id = await makeGroup(alice, 'own')
    await alice.patch(`/user_groups/${id}`, { can_join_group: { new: id } })

    assert.equal((await alice.post(`/user_groups/${id}/deactivate`)).status, 200)
  })

  it('rejects unknown, deactivated and system groups', async () => {
    const { alice, olga } = at.people
    const id = await makeGroup(alice, 'twice')
    await alice.post(`/user_groups/${id}/deactivate`)
    const members = await systemGroupId(olga, 'role:members')

    assertRefused(await olga.post(`/user_groups/${at.unknownId}/deactivate`), 'Invalid user group')
    assertRefused(await alice.post(`/user_groups/${id}/deactivate`), 'User group is deactivated.')
    assertRefused(await olga.post(`/user_groups/${members}/deactivate`), 'Insufficient permission')
  })

  it('checks permissions of all callers, also guests and bots', async () => {
    const { alice, bob, adam, mona, olga, gus, bot } = at.people
    const id = await makeGroup(alice, 'guarded')

    for (const user of [bob, adam, mona, gus, bot]) {
      assertRefused(await user.post(`/user_groups/${id}/deactivate`), 'Insufficient permission')
    }
    await alice.patch(`/user_groups/${id}`, {
      can_manage_group: { new: { direct_members: [gus.id, bot.id], direct_subgroups: [] } },
    })
    assertRefused(await gus.post(`/user_groups/${id}/deactivate`), 'Insufficient permission')
    assert.equal((await bot.post(`/user_groups/${id}/deactivate`)).status, 200)
    assert.equal((await olga.patch(`/user_groups/${id}`, { deactivated: false })).status, 200)
  })
})
