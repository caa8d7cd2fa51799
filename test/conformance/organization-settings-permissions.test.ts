import assert from 'node:assert/strict'
import { it } from 'node:test'

import { organizationPermissions } from '../../packages/core/src/domain/organizations/organization-settings.js'
import { withoutIds } from '../support/event-feed.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { realmOf } from '../support/organization-settings.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['realm'] }

everyHost('update-realm', (at) => {
  it('assigns every permission to another group, given as a group or as a list of users', async () => {
    const { olga, alice, gus } = at.people
    const owners = await systemGroupId(olga, 'role:owners')
    const administrators = await systemGroupId(olga, 'role:administrators')
    const members = await systemGroupId(olga, 'role:members')
    const feed = await gus.listen(listenOptions)
    for (const [name, definition] of Object.entries(organizationPermissions)) {
      const isForMembersOnly = name === 'can_access_all_users_group'
      const group = isForMembersOnly
        ? members
        : definition.default === 'role:owners'
          ? administrators
          : owners

      const { body } = await olga.patch('/realm', { [name]: { new: group } })

      assert.deepEqual(body, { ...bareSuccess, [name]: group })
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm', op: 'update_dict', property: 'default', data: { [name]: group } },
      ])
      assert.equal((await realmOf(gus))[`realm_${name}`], group)
      if ('requiresSystemGroup' in definition) continue
      const people = { direct_members: [alice.id, olga.id], direct_subgroups: [owners] }
      const ascending = { ...people, direct_members: [olga.id, alice.id] }
      const second = await olga.patch('/realm', { [name]: { new: people, old: group } })
      assert.deepEqual(second.body, { ...bareSuccess, [name]: ascending })
      assert.deepEqual(withoutIds(await feed.drain())[0]?.['data'], { [name]: ascending })
      assert.deepEqual((await realmOf(gus))[`realm_${name}`], ascending)
    }
  })

  it('sends no event if the new value equals the current one', async () => {
    const { olga } = at.people
    const nobody = await systemGroupId(olga, 'role:nobody')
    await olga.patch('/realm', { can_create_bots_group: { new: nobody } })
    const feed = await olga.listen(listenOptions)

    const empty = { direct_members: [], direct_subgroups: [] }
    const answer = await olga.patch('/realm', {
      can_create_bots_group: { new: empty, old: nobody },
    })

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(await feed.drain(), [])
  })

  it('returns an error if the old value differs from the current one', async () => {
    const { olga } = at.people
    const [owners, members] = [
      await systemGroupId(olga, 'role:owners'),
      await systemGroupId(olga, 'role:members'),
    ]
    await olga.patch('/realm', { can_resolve_topics_group: { new: owners } })

    assertRefused(
      await olga.patch('/realm', { can_resolve_topics_group: { new: members, old: members } }),
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH', field_name: 'old' },
    )
  })

  it('rejects groups that a permission cannot be assigned to', async () => {
    const { olga } = at.people
    const idOf = (name: string): Promise<number> => systemGroupId(olga, name)
    for (const [name, group] of [
      ['can_create_groups', 'role:everyone'],
      ['can_manage_all_groups', 'role:nobody'],
      ['can_create_groups', 'role:internet'],
      ['can_create_web_public_channel_group', 'role:members'],
      ['can_access_all_users_group', 'role:owners'],
    ] as const) {
      assertRefused(
        await olga.patch('/realm', { [name]: { new: await idOf(group) } }),
        `'${name}' setting cannot be set to '${group}' group.`,
      )
    }
    const own = await makeGroup(olga, 'Just us')
    assertRefused(
      await olga.patch('/realm', { can_access_all_users_group: { new: own } }),
      "'can_access_all_users_group' must be a system user group.",
      { code: 'SYSTEM_GROUP_REQUIRED', setting_name: 'can_access_all_users_group' },
    )
    assertRefused(
      await olga.patch('/realm', {
        can_create_groups: { new: { direct_members: [at.unknownId], direct_subgroups: [] } },
      }),
      `Invalid user ID: ${at.unknownId}`,
    )
  })

  it('changes nothing and sends no event if a later setting is rejected', async () => {
    const { olga } = at.people
    const feed = await olga.listen(listenOptions)
    const before = await realmOf(olga)

    await olga.patch('/realm', {
      description: 'never seen',
      can_create_groups: { new: at.unknownId },
    })

    assert.equal((await realmOf(olga))['realm_description'], before['realm_description'])
    assert.deepEqual(await feed.drain(), [])
  })
})

everyHost('update-realm', (at) => {
  it('updates the full members when the waiting period changes', async () => {
    const { olga, alice, gus, bot } = at.people
    const isFull = async (id: number): Promise<boolean> => {
      const fullMembers = await systemGroupId(olga, 'role:fullmembers')
      const path = `/user_groups/${fullMembers}/members/${id}`
      return (await olga.get(path, { direct_member_only: true })).body.is_user_group_member
    }
    const params = { full_name: 'New Comer', password: 'a rather long staple 12' }
    const { user_id } = (await olga.post('/users', { ...params, email: 'new@comer.example' })).body
    at.clock.advance(2 * 86_400)
    const feed = await gus.listen({ event_types: ['realm', 'user_group'] })
    const group_id = await systemGroupId(olga, 'role:fullmembers')
    const threshold = (value: number) => ({
      type: 'realm',
      op: 'update',
      property: 'waiting_period_threshold',
      value,
    })

    await olga.patch('/realm', { waiting_period_threshold: 3 })

    assert.deepEqual(withoutIds(await feed.drain()), [
      threshold(3),
      { type: 'user_group', op: 'remove_members', group_id, user_ids: [bot.id, user_id] },
    ])
    assert.deepEqual([await isFull(user_id), await isFull(alice.id)], [false, true])

    await olga.patch('/realm', { waiting_period_threshold: 2 })

    assert.deepEqual(withoutIds(await feed.drain()), [
      threshold(2),
      { type: 'user_group', op: 'add_members', group_id, user_ids: [bot.id, user_id] },
    ])
    assert.equal(await isFull(user_id), true)
    await olga.patch('/realm', { waiting_period_threshold: 1 })
    assert.deepEqual(withoutIds(await feed.drain()), [threshold(1)])
  })

  it('applies new settings at once', async () => {
    const { olga, adam, alice, bob } = at.people
    const { general } = at.channels
    const id = await alice.say(general, 'governed', 'first')
    const edit = () => alice.patch(`/messages/${id}`, { content: `again ${Math.random()}` })
    assert.equal((await edit()).status, 200)

    await adam.patch('/realm', { allow_message_editing: false })
    assert.equal((await edit()).status, 400)
    await adam.patch('/realm', {
      allow_message_editing: true,
      message_content_edit_limit_seconds: 10,
    })
    at.clock.advance(60)
    assert.equal((await edit()).status, 400)
    await adam.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' })
    assert.equal((await edit()).status, 200)

    await adam.patch('/realm', { topics_policy: 'disable_empty_topic' })
    const empty = { type: 'channel', to: general, topic: '', content: 'x' }
    assert.equal((await alice.post('/messages', empty)).status, 400)

    await adam.patch('/realm', { name_changes_disabled: true })
    await bob.patch('/settings', { full_name: 'Robert Test' })
    assert.equal((await bob.get('/users/me')).body.full_name, 'Bob Test')

    await adam.patch('/realm', { enable_read_receipts: false })
    assert.equal((await alice.get(`/messages/${id}/read_receipts`)).status, 400)

    const owners = await systemGroupId(olga, 'role:owners')
    await olga.patch('/realm', { can_create_groups: { new: owners } })
    const group = { name: 'Not yet', description: '', members: [] }
    assert.equal((await alice.post('/user_groups/create', group)).status, 400)
    await olga.patch('/realm', {
      can_create_groups: { new: { direct_members: [alice.id], direct_subgroups: [] } },
    })
    assert.equal((await alice.post('/user_groups/create', group)).status, 200)
  })
})
