import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { findGroup, makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost, everySeparateHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { statementsOf, type Statement } from '../support/statements.js'

const groupEvents = { event_types: ['user_group'] }

everySeparateHost('update-user-group-members', (at) => {
  it('adds and removes users and subgroups together, in that order', async () => {
    const { alice, bob, carol, gus } = at.people
    const [one, two] = [await makeGroup(alice, 'one'), await makeGroup(alice, 'two')]
    const id = await makeGroup(alice, 'mixed', { members: [bob.id], subgroups: [one] })
    const feed = await gus.listen(groupEvents)

    const answer = await alice.post(`/user_groups/${id}/members`, {
      delete: [bob.id],
      add: [gus.id, carol.id, gus.id],
      delete_subgroups: [one],
      add_subgroups: [two],
    })

    assert.deepEqual(answer.body, bareSuccess)
    const about = { type: 'user_group', group_id: id }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...about, op: 'add_members', user_ids: [gus.id, carol.id] },
      { ...about, op: 'remove_members', user_ids: [bob.id] },
      { ...about, op: 'add_subgroups', direct_subgroup_ids: [two] },
      { ...about, op: 'remove_subgroups', direct_subgroup_ids: [one] },
    ])
    const group = await findGroup(bob, 'mixed')
    assert.deepEqual([group.members, group.direct_subgroup_ids], [[carol.id, gus.id], [two]])
  })

  it('writes with as many statements for four users as for two', async () => {
    const { alice, bob, carol, mona, adam } = at.people
    const id = await makeGroup(alice, 'counted')
    const members = [bob, carol, mona, adam].map((user) => user.id)
    const add = (ids: readonly number[]) => alice.post(`/user_groups/${id}/members`, { add: ids })
    const remove = (ids: readonly number[]) =>
      alice.post(`/user_groups/${id}/members`, { delete: ids })
    await add(members)
    await remove(members)

    // A single notification message needs one statement less: its id is the one that was inserted.
    const few = await statementsOf(at.host, async () => add([bob.id, carol.id]))
    await remove([bob.id, carol.id])
    const many = await statementsOf(at.host, async () => add(members))

    // Reads may be work of the server after an earlier commit.
    const writes = (statements: readonly Statement[]): readonly string[] =>
      statements.map(({ sql }) => sql.split(' ')[0] ?? '').filter((word) => !/select/i.test(word))
    assert.deepEqual(writes(many), writes(few))
  })

  it('rolls everything back if one part fails', async () => {
    const { alice, bob, carol } = at.people
    const id = await makeGroup(alice, 'whole', { members: [bob.id] })
    const feed = await alice.listen(groupEvents)

    const answer = await alice.post(`/user_groups/${id}/members`, {
      add: [carol.id],
      delete: [bob.id],
      add_subgroups: [at.unknownId],
    })

    assertRefused(answer, `Invalid user group ID: ${at.unknownId}`)
    assert.deepEqual((await findGroup(alice, 'whole')).members, [bob.id])
    assert.deepEqual(await feed.drain(), [])
  })

  it('rejects empty requests, and unknown groups and users', async () => {
    const { alice, bob, carol, dora } = at.people
    const id = await makeGroup(alice, 'strict', { members: [bob.id] })
    const change = (params: Record<string, unknown>, groupId = id) =>
      alice.post(`/user_groups/${groupId}/members`, params)
    const nothing =
      'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'

    assertRefused(await change({}), nothing)
    assertRefused(await change({ add: [], delete: [], add_subgroups: [] }), nothing)
    assertRefused(await change({}, at.unknownId), nothing)
    assertRefused(await change({ add: [bob.id] }, at.unknownId), 'Invalid user group')
    for (const invalidId of [dora.id, at.unknownId]) {
      assertRefused(await change({ add: [invalidId] }), `Invalid user ID: ${invalidId}`)
      assertRefused(await change({ delete: [invalidId] }), `Invalid user ID: ${invalidId}`)
    }
    assertRefused(
      await change({ add: [carol.id, bob.id] }),
      `User ${bob.id} is already a member of this group`,
    )
    assertRefused(
      await change({ delete: [carol.id] }),
      `There is no member '${carol.id}' in this user group`,
    )
    assertRefused(await change({ add: ['x'] }), 'add[0] is not an integer')
  })

  it('requires permission to add others, or to join', async () => {
    const { alice, bob, carol, adam, gus, bot } = at.people
    const id = await makeGroup(alice, 'open')
    const members = await systemGroupId(alice, 'role:members')
    const add = (user: typeof alice, ...ids: number[]) =>
      user.post(`/user_groups/${id}/members`, { add: ids })

    assertRefused(await add(bob, bob.id), 'Insufficient permission')
    assertRefused(await add(adam, adam.id), 'Insufficient permission')
    assertRefused(await add(gus, gus.id), 'Not allowed for guest users')
    assertRefused(await add(bot, bot.id), 'This endpoint does not accept bot requests.')

    await alice.patch(`/user_groups/${id}`, { can_join_group: { new: members } })
    assert.equal((await add(bob, bob.id)).status, 200)
    assertRefused(await add(carol, carol.id, adam.id), 'Insufficient permission')
    assertRefused(await add(carol, adam.id), 'Insufficient permission')

    await alice.patch(`/user_groups/${id}`, { can_add_members_group: { new: members } })
    assert.equal((await add(carol, carol.id, adam.id)).status, 200)
  })

  it('lets all members leave, and requires permission to remove others', async () => {
    const { alice, bob, carol, mona } = at.people
    const id = await makeGroup(alice, 'leavable', { members: [bob.id, carol.id, mona.id] })
    const nobody = await systemGroupId(alice, 'role:nobody')
    const remove = (user: typeof alice, ...ids: number[]) =>
      user.post(`/user_groups/${id}/members`, { delete: ids })

    assert.equal((await remove(bob, bob.id)).status, 200)
    assertRefused(await remove(carol, carol.id, mona.id), 'Insufficient permission')
    assertRefused(await remove(carol, mona.id), 'Insufficient permission')
    await alice.patch(`/user_groups/${id}`, {
      can_leave_group: { new: nobody },
      can_remove_members_group: { new: { direct_members: [mona.id], direct_subgroups: [] } },
    })
    assertRefused(await remove(carol, carol.id), 'Insufficient permission')
    assert.equal((await remove(mona, carol.id, mona.id)).status, 200)
    assert.deepEqual((await findGroup(alice, 'leavable')).members, [])
  })

  it('changes the members of a deactivated group, but not its subgroups', async () => {
    const { alice, bob, carol } = at.people
    const inner = await makeGroup(alice, 'inner of dormant')
    const id = await makeGroup(alice, 'dormant')
    await alice.post(`/user_groups/${id}/deactivate`)
    const [knowing, others] = [
      await bob.listen({
        ...groupEvents,
        client_capabilities: { notification_settings_null: true, include_deactivated_groups: true },
      }),
      await carol.listen(groupEvents),
    ]

    const answer = await alice.post(`/user_groups/${id}/members`, { add: [bob.id] })

    assert.equal(answer.status, 200)
    assertRefused(
      await alice.post(`/user_groups/${id}/members`, { add_subgroups: [inner] }),
      'User group is deactivated.',
    )
    assert.deepEqual(withoutIds(await knowing.drain()), [
      { type: 'user_group', op: 'add_members', group_id: id, user_ids: [bob.id] },
    ])
    assert.deepEqual(await others.drain(), [])
  })

  it('rejects changes of system groups', async () => {
    const { olga, bob } = at.people
    const id = await systemGroupId(olga, 'role:members')
    const moderators = await systemGroupId(olga, 'role:moderators')
    for (const params of [
      { add: [bob.id] },
      { delete: [bob.id] },
      { add_subgroups: [moderators] },
      { delete_subgroups: [moderators] },
    ]) {
      assertRefused(
        await olga.post(`/user_groups/${id}/members`, params),
        'Insufficient permission',
      )
    }
  })

  it("gives the group's permissions to its new members, at any depth", async () => {
    const { alice, bob } = at.people
    const inner = await makeGroup(alice, 'deep')
    const middle = await makeGroup(alice, 'middle', { subgroups: [inner] })
    const id = await makeGroup(alice, 'guarded', { can_manage_group: middle })
    const describe = () => bob.patch(`/user_groups/${id}`, { description: 'By Bob' })

    assertRefused(await describe(), 'Insufficient permission')
    await alice.post(`/user_groups/${inner}/members`, { add: [bob.id] })
    assert.equal((await describe()).status, 200)
    await alice.post(`/user_groups/${middle}/members`, { delete_subgroups: [inner] })
    assertRefused(await describe(), 'Insufficient permission')
  })
})

everyHost('update-user-group-subgroups', (at) => {
  it('adds and removes subgroups', async () => {
    const { alice, gus } = at.people
    const [one, two] = [await makeGroup(alice, 'one'), await makeGroup(alice, 'two')]
    const id = await makeGroup(alice, 'over', { subgroups: [one] })
    const feed = await gus.listen(groupEvents)

    const answer = await alice.post(`/user_groups/${id}/subgroups`, { add: [two], delete: [one] })

    assert.deepEqual(answer.body, bareSuccess)
    const about = { type: 'user_group', group_id: id }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...about, op: 'add_subgroups', direct_subgroup_ids: [two] },
      { ...about, op: 'remove_subgroups', direct_subgroup_ids: [one] },
    ])
    assert.deepEqual((await findGroup(alice, 'over')).direct_subgroup_ids, [two])
  })

  it('rejects unknown subgroups, existing ones, and cycles', async () => {
    const { alice } = at.people
    const bottom = await makeGroup(alice, 'bottom')
    const middle = await makeGroup(alice, 'middle', { subgroups: [bottom] })
    const top = await makeGroup(alice, 'top', { subgroups: [middle] })
    const gone = await makeGroup(alice, 'gone')
    await alice.post(`/user_groups/${gone}/deactivate`)
    const change = (groupId: number, params: Record<string, unknown>) =>
      alice.post(`/user_groups/${groupId}/subgroups`, params)
    const nothing = 'Nothing to do. Specify at least one of "add" or "delete".'

    assertRefused(await change(top, {}), nothing)
    assertRefused(await change(top, { add: [], delete: [] }), nothing)
    assertRefused(await change(at.unknownId, { add: [top] }), 'Invalid user group')
    assertRefused(await change(gone, { add: [top] }), 'User group is deactivated.')
    assertRefused(await change(top, { add: [gone] }), 'User group is deactivated.')
    const unknown = `Invalid user group ID: ${at.unknownId}`
    assertRefused(await change(top, { add: [at.unknownId] }), unknown)
    assertRefused(await change(top, { delete: [at.unknownId] }), unknown)
    assertRefused(
      await change(top, { add: [middle] }),
      `User group ${middle} is already a subgroup of this group.`,
    )
    assertRefused(
      await change(top, { delete: [bottom] }),
      `User group ${bottom} is not a subgroup of this group.`,
    )
    for (const inner of [top, middle, bottom]) {
      assertRefused(
        await change(inner, { add: [top] }),
        `User group ${inner} is already a subgroup of one of the passed subgroups.`,
      )
    }
  })

  it('prevents a cycle of two concurrent additions', async () => {
    const { alice } = at.people
    const [left, right] = [await makeGroup(alice, 'left'), await makeGroup(alice, 'right')]

    const answers = await Promise.all([
      alice.post(`/user_groups/${left}/subgroups`, { add: [right] }),
      alice.post(`/user_groups/${right}/subgroups`, { add: [left] }),
    ])

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  })

  it('requires permission to add, and to manage the group to remove', async () => {
    const { alice, bob, carol, gus, bot } = at.people
    const inner = await makeGroup(carol, 'inner')
    const id = await makeGroup(alice, 'outer', {
      can_add_members_group: { direct_members: [bob.id], direct_subgroups: [] },
    })
    const change = (user: typeof alice, params: Record<string, unknown>) =>
      user.post(`/user_groups/${id}/subgroups`, params)

    assertRefused(await change(carol, { add: [inner] }), 'Insufficient permission')
    assertRefused(await change(gus, { add: [inner] }), 'Not allowed for guest users')
    assertRefused(
      await change(bot, { add: [inner] }),
      'This endpoint does not accept bot requests.',
    )
    assert.equal((await change(bob, { add: [inner] })).status, 200)
    assertRefused(await change(bob, { delete: [inner] }), 'Insufficient permission')
    assert.equal((await change(alice, { delete: [inner] })).status, 200)
  })
})
