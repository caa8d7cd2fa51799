import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

const systemGroups: readonly (readonly [string, string])[] = [
  ['role:nobody', 'Nobody'],
  ['role:owners', 'Owners of this organization'],
  ['role:administrators', 'Administrators of this organization, including owners'],
  ['role:moderators', 'Moderators of this organization, including administrators'],
  ['role:fullmembers', 'Members of this organization, not including new accounts and guests'],
  ['role:members', 'Members of this organization, not including guests'],
  ['role:everyone', 'Everyone in this organization, including guests'],
  ['role:internet', 'Everyone on the Internet'],
]

async function refusesGuestsAndBots(at: HostCase, path: string): Promise<void> {
  assertRefused(await at.people.gus.get(path), 'Not allowed for guest users')
  assertRefused(await at.people.bot.get(path), 'This endpoint does not accept bot requests.')
  assert.equal((await at.nobody.get(path)).status, 401)
}

everyHost('get-user-groups', (at) => {
  it('lists the system groups, whose members follow from the roles', async () => {
    const { olga, adam, mona, alice, bob, carol, gus, bot } = at.people

    const { body } = await bob.get('/user_groups')

    const groups = body.user_groups as UncheckedJson[]
    const ids = groups.map(({ id }) => id as number)
    const members = [alice, bob, carol, bot].map(({ id }) => id).sort((a, b) => a - b)
    const direct: Readonly<Record<string, readonly number[]>> = {
      'role:owners': [olga.id],
      'role:administrators': [adam.id],
      'role:moderators': [mona.id],
      'role:fullmembers': members,
      'role:members': members,
      'role:everyone': [gus.id],
    }
    const nobody = ids[0]
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b),
    )
    assert.deepEqual(
      groups,
      systemGroups.map(([name, description], index) => ({
        id: ids[index],
        name,
        description,
        creator_id: null,
        date_created: at.clock.seconds,
        is_system_group: true,
        deactivated: false,
        members: direct[name] ?? [],
        direct_subgroup_ids: index < 2 ? [] : [ids[index - 1]],
        can_add_members_group: nobody,
        can_join_group: nobody,
        can_leave_group: nobody,
        can_manage_group: nobody,
        can_mention_group: nobody,
        can_remove_members_group: nobody,
      })),
    )
  })

  it('lists deactivated groups only on request', async () => {
    const { alice } = at.people
    const id = await makeGroup(alice, 'hidden')
    await alice.post(`/user_groups/${id}/deactivate`)
    const idsWith = async (params: Record<string, unknown>) => {
      const { body } = await alice.get('/user_groups', params)
      return (body.user_groups as { id: number }[]).map((group) => group.id)
    }

    assert.equal((await idsWith({})).includes(id), false)
    assert.equal((await idsWith({ include_deactivated_groups: false })).includes(id), false)
    assert.equal((await idsWith({ include_deactivated_groups: true })).includes(id), true)
  })

  it('returns an error to guests and bots', () => refusesGuestsAndBots(at, '/user_groups'))
})

everyHost(
  'get-user-groups',
  (at) => {
    it('includes new members in full members after the waiting period', async () => {
      const { alice } = at.people
      const full = await systemGroupId(alice, 'role:fullmembers')
      const members = async () =>
        (await alice.get(`/user_groups/${full}/members`, { direct_member_only: true })).body.members

      assert.equal((await members()).includes(alice.id), true)
      assert.equal((await members()).includes(at.people.bot.id), false)
    })
  },
  { settings: { waiting_period_threshold: 30 } },
)

everyHost('get-user-group-members', (at) => {
  it('returns the active members of subgroups too, unless direct_member_only is true', async () => {
    const { alice, bob, carol, olga } = at.people
    const owners = await systemGroupId(alice, 'role:owners')
    const inner = await makeGroup(alice, 'inner', { members: [carol.id, bob.id] })
    const outer = await makeGroup(alice, 'outer', {
      members: [bob.id, alice.id],
      subgroups: [inner, owners],
    })

    const all = await bob.get(`/user_groups/${outer}/members`)
    const direct = await bob.get(`/user_groups/${outer}/members`, { direct_member_only: true })

    assert.deepEqual(all.body.members, [olga.id, alice.id, bob.id, carol.id])
    assert.deepEqual(direct.body.members, [alice.id, bob.id])
  })

  it('rejects unknown and deactivated groups', async () => {
    const { alice } = at.people
    const gone = await makeGroup(alice, 'gone')
    await alice.post(`/user_groups/${gone}/deactivate`)

    assertRefused(await alice.get(`/user_groups/${at.unknownId}/members`), 'Invalid user group')
    assertRefused(await alice.get(`/user_groups/${gone}/members`), 'User group is deactivated.')
  })

  it('returns an error to guests and bots', async () => {
    const id = await systemGroupId(at.people.alice, 'role:members')
    await refusesGuestsAndBots(at, `/user_groups/${id}/members`)
  })
})

everyHost('get-is-user-group-member', (at) => {
  it('distinguishes direct members from members of subgroups', async () => {
    const { alice, bob, carol } = at.people
    const inner = await makeGroup(alice, 'inner', { members: [carol.id] })
    const outer = await makeGroup(alice, 'outer', { members: [bob.id], subgroups: [inner] })
    const ask = async (userId: number, params: Record<string, unknown> = {}) =>
      (await alice.get(`/user_groups/${outer}/members/${userId}`, params)).body.is_user_group_member

    assert.equal(await ask(bob.id), true)
    assert.equal(await ask(carol.id), true)
    assert.equal(await ask(carol.id, { direct_member_only: true }), false)
    assert.equal(await ask(alice.id), false)
  })

  it('rejects unknown groups and users', async () => {
    const { alice, dora } = at.people
    const id = await makeGroup(alice, 'there')
    const ask = (groupId: number, userId: number) =>
      alice.get(`/user_groups/${groupId}/members/${userId}`)

    assertRefused(await ask(at.unknownId, alice.id), 'Invalid user group')
    assertRefused(await ask(id, at.unknownId), 'No such user')
    assertRefused(await ask(id, dora.id), 'User is deactivated')
  })

  it('returns an error to guests and bots', async () => {
    const id = await systemGroupId(at.people.alice, 'role:members')
    await refusesGuestsAndBots(at, `/user_groups/${id}/members/${at.people.alice.id}`)
  })
})

everyHost('get-user-group-subgroups', (at) => {
  it('lists subgroups at any depth, unless direct_subgroup_only is true', async () => {
    const { alice } = at.people
    const bottom = await makeGroup(alice, 'bottom')
    const middle = await makeGroup(alice, 'middle', { subgroups: [bottom] })
    const top = await makeGroup(alice, 'top', { subgroups: [middle] })

    const all = await alice.get(`/user_groups/${top}/subgroups`)
    const direct = await alice.get(`/user_groups/${top}/subgroups`, { direct_subgroup_only: true })

    assert.deepEqual(all.body.subgroups, [bottom, middle])
    assert.deepEqual(direct.body.subgroups, [middle])
  })

  it('rejects unknown and deactivated groups', async () => {
    const { alice } = at.people
    const gone = await makeGroup(alice, 'gone')
    await alice.post(`/user_groups/${gone}/deactivate`)

    assertRefused(await alice.get(`/user_groups/${at.unknownId}/subgroups`), 'Invalid user group')
    assertRefused(await alice.get(`/user_groups/${gone}/subgroups`), 'User group is deactivated.')
  })

  it('returns an error to guests and bots', async () => {
    const id = await systemGroupId(at.people.alice, 'role:members')
    await refusesGuestsAndBots(at, `/user_groups/${id}/subgroups`)
  })
})
