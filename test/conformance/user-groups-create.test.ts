import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { findGroup, makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const groupEvents = { event_types: ['user_group'] }

everyHost('create-user-group', (at) => {
  it('creates the group with its creator as manager and sends the event to all active users', async () => {
    const { alice, bob, gus, bot } = at.people
    const [bobFeed, gusFeed, botFeed] = [
      await bob.listen(groupEvents),
      await gus.listen(groupEvents),
      await bot.listen(groupEvents),
    ]

    const answer = await alice.post('/user_groups/create', {
      name: ' designers ',
      description: 'Who draws',
      members: [bob.id, alice.id, bob.id],
    })

    const everyone = await systemGroupId(alice, 'role:everyone')
    const nobody = await systemGroupId(alice, 'role:nobody')
    const creator = { direct_members: [alice.id], direct_subgroups: [] }
    const group = {
      id: answer.body.group_id,
      name: 'designers',
      description: 'Who draws',
      creator_id: alice.id,
      date_created: at.clock.seconds,
      is_system_group: false,
      deactivated: false,
      members: [alice.id, bob.id],
      direct_subgroup_ids: [],
      can_add_members_group: creator,
      can_join_group: nobody,
      can_leave_group: everyone,
      can_manage_group: creator,
      can_mention_group: everyone,
      can_remove_members_group: nobody,
    }
    assert.deepEqual(Object.keys(answer.body).sort(), ['group_id', 'msg', 'result'])
    assert.deepEqual(await findGroup(alice, 'designers'), group)
    for (const feed of [bobFeed, gusFeed, botFeed]) {
      assert.deepEqual(withoutIds(await feed.drain()), [{ type: 'user_group', op: 'add', group }])
    }
  })

  it('adds subgroups, also system groups, and sends their events after the group', async () => {
    const { alice, bob } = at.people
    const inner = await makeGroup(alice, 'inner')
    const owners = await systemGroupId(alice, 'role:owners')
    const feed = await bob.listen(groupEvents)

    const outer = await makeGroup(alice, 'outer', { subgroups: [inner, owners] })

    const [added, subgroups, ...more] = withoutIds(await feed.drain())
    assert.deepEqual((added as { group: object }).group, {
      ...(await findGroup(alice, 'outer')),
      direct_subgroup_ids: [],
    })
    assert.deepEqual(subgroups, {
      type: 'user_group',
      op: 'add_subgroups',
      group_id: outer,
      direct_subgroup_ids: [inner, owners],
    })
    assert.deepEqual(more, [])
    const stored = await findGroup(alice, 'outer')
    assert.deepEqual(
      stored.direct_subgroup_ids,
      [inner, owners].sort((a, b) => a - b),
    )
  })

  it('accepts settings as ids or unions, and converts unions of one group to its id', async () => {
    const { alice, bob } = at.people
    const members = await systemGroupId(alice, 'role:members')
    const nobody = await systemGroupId(alice, 'role:nobody')

    await makeGroup(alice, 'with settings', {
      can_join_group: { direct_members: [bob.id, alice.id], direct_subgroups: [members] },
      can_leave_group: { direct_members: [], direct_subgroups: [] },
      can_mention_group: { direct_members: [], direct_subgroups: [members] },
      can_manage_group: members,
    })

    const group = await findGroup(bob, 'with settings')
    assert.deepEqual(group.can_join_group, {
      direct_members: [alice.id, bob.id],
      direct_subgroups: [members],
    })
    assert.equal(group.can_leave_group, nobody)
    assert.equal(group.can_mention_group, members)
    assert.equal(group.can_manage_group, members)
  })

  it('rejects invalid names', async () => {
    const { alice } = at.people
    await makeGroup(alice, 'taken')
    const refusals: Readonly<Record<string, string>> = {
      '  ': "User group name can't be empty!",
      ['x'.repeat(101)]: 'User group name cannot exceed 100 characters.',
      '@all': "User group name cannot start with '@'.",
      'role:x': "User group name cannot start with 'role:'.",
      'user:x': "User group name cannot start with 'user:'.",
      'stream:x': "User group name cannot start with 'stream:'.",
      'channel:x': "User group name cannot start with 'channel:'.",
      taken: "User group 'taken' already exists.",
    }
    for (const [name, text] of Object.entries(refusals)) {
      const params = { name, description: '', members: [] }
      assertRefused(await alice.post('/user_groups/create', params), text)
    }
    await makeGroup(alice, 'Taken')
    await makeGroup(alice, 'x'.repeat(100))
  })

  it('rejects members and subgroups that do not exist or are deactivated', async () => {
    const { alice, dora } = at.people
    const attempt = (params: Record<string, unknown>) =>
      alice.post('/user_groups/create', { name: 'g', description: '', members: [], ...params })
    const gone = await makeGroup(alice, 'gone')
    await alice.post(`/user_groups/${gone}/deactivate`)

    for (const id of [dora.id, at.unknownId]) {
      assertRefused(await attempt({ members: [alice.id, id] }), `Invalid user ID: ${id}`)
    }
    assertRefused(
      await attempt({ subgroups: [at.unknownId] }),
      `Invalid user group ID: ${at.unknownId}`,
    )
    assertRefused(await attempt({ subgroups: [gone] }), 'User group is deactivated.')
    assert.equal(await findGroup(alice, 'g'), undefined)
  })

  it('rejects groups that a setting cannot be assigned to', async () => {
    const { alice, dora } = at.people
    const attempt = (params: Record<string, unknown>) =>
      alice.post('/user_groups/create', { name: 'g', description: '', members: [], ...params })
    const gone = await makeGroup(alice, 'gone too')
    await alice.post(`/user_groups/${gone}/deactivate`)
    const union = (users: number[], groups: number[]) => ({
      can_join_group: { direct_members: users, direct_subgroups: groups },
    })
    const internet = await systemGroupId(alice, 'role:internet')
    const everyone = await systemGroupId(alice, 'role:everyone')

    assertRefused(await attempt({ can_join_group: at.unknownId }), 'Invalid user group')
    assertRefused(await attempt({ can_join_group: gone }), 'User group is deactivated.')
    assertRefused(
      await attempt({ can_mention_group: internet }),
      "'can_mention_group' setting cannot be set to 'role:internet' group.",
    )
    assertRefused(
      await attempt({ can_join_group: everyone }),
      "'can_join_group' setting cannot be set to 'role:everyone' group.",
    )
    assertRefused(await attempt(union([dora.id], [])), `Invalid user ID: ${dora.id}`)
    assertRefused(
      await attempt(union([alice.id], [at.unknownId])),
      `Invalid user group ID: ${at.unknownId}`,
    )
    assertRefused(await attempt(union([alice.id], [gone])), 'User group is deactivated.')
    assertRefused(
      await attempt({ can_join_group: { direct_members: [] } }),
      'direct_subgroups key is missing from can_join_group',
    )
    assertRefused(
      await attempt({ description: 'x'.repeat(1025) }),
      'description is too long (limit: 1024 characters)',
    )
  })

  it('returns the first error in the order members, name, settings, duplicate name', async () => {
    const { alice } = at.people
    await makeGroup(alice, 'first')
    const attempt = (params: Record<string, unknown>) => alice.post('/user_groups/create', params)
    const bad = { members: [at.unknownId], can_join_group: at.unknownId, description: '' }

    assertRefused(await attempt({ ...bad, name: '' }), `Invalid user ID: ${at.unknownId}`)
    assertRefused(
      await attempt({ ...bad, name: '', members: [] }),
      "User group name can't be empty!",
    )
    assertRefused(await attempt({ ...bad, name: 'first', members: [] }), 'Invalid user group')
    assertRefused(
      await attempt({ name: 'first', members: [], description: '', subgroups: [at.unknownId] }),
      "User group 'first' already exists.",
    )
  })

  it('returns an error to guests and bots', async () => {
    const { gus, bot, nobody } = { ...at.people, nobody: at.nobody }
    const params = { name: 'x', description: '', members: [] }

    assertRefused(await gus.post('/user_groups/create', params), 'Not allowed for guest users')
    assertRefused(
      await bot.post('/user_groups/create', params),
      'This endpoint does not accept bot requests.',
    )
    assert.equal((await nobody.post('/user_groups/create', params)).status, 401)
  })

  it('creates only one group for concurrent requests with the same name', async () => {
    const { alice, bob } = at.people
    const params = { name: 'raced', description: '', members: [] }

    const answers = await Promise.all(
      [alice, bob, alice, bob].map((user) => user.post('/user_groups/create', params)),
    )

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
  })
})

everyHost(
  'create-user-group',
  (at) => {
    it('returns an error to users who are not in can_create_groups', async () => {
      const { adam, mona, olga } = at.people
      const params = { name: 'x', description: '', members: [] }

      assertRefused(await mona.post('/user_groups/create', params), 'Insufficient permission')
      assertRefused(
        await mona.post('/user_groups/create', { ...params, members: [at.unknownId] }),
        'Insufficient permission',
      )
      await makeGroup(adam, 'by adam')
      await makeGroup(olga, 'by olga')
    })
  },
  { settings: { can_create_groups: 'role:administrators' } },
)
