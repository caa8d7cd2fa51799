import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { findGroup, makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'

const groupEvents = { event_types: ['user_group'] }

everyHost('update-user', (at) => {
  it('moves the user between the groups of the roles', async () => {
    const { adam, bob, gus } = at.people
    const [members, full, moderators] = [
      await systemGroupId(bob, 'role:members'),
      await systemGroupId(bob, 'role:fullmembers'),
      await systemGroupId(bob, 'role:moderators'),
    ]
    const feed = await gus.listen(groupEvents)

    await adam.patch(`/users/${bob.id}`, { role: 300 })
    await adam.patch(`/users/${bob.id}`, { role: 400 })

    const about = { type: 'user_group', user_ids: [bob.id] }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...about, op: 'remove_members', group_id: members },
      { ...about, op: 'add_members', group_id: moderators },
      { ...about, op: 'remove_members', group_id: full },
      { ...about, op: 'remove_members', group_id: moderators },
      { ...about, op: 'add_members', group_id: members },
      { ...about, op: 'add_members', group_id: full },
    ])
  })

  it('does not move deactivated users', async () => {
    const { adam, bob, dora } = at.people
    const feed = await bob.listen(groupEvents)

    const answer = await adam.patch(`/users/${dora.id}`, { role: 300 })

    assert.equal(answer.status, 200)
    assert.deepEqual(await feed.drain(), [])
    await adam.patch(`/users/${dora.id}`, { role: 400 })
  })

  it('applies the permissions of the groups at once', async () => {
    const { adam, carol, alice } = at.people
    const moderators = await systemGroupId(alice, 'role:moderators')
    const id = await makeGroup(alice, 'for moderators', { can_manage_group: moderators })
    const describe = async () =>
      (await carol.patch(`/user_groups/${id}`, { description: `${Math.random()}` })).status

    assert.equal(await describe(), 400)
    await adam.patch(`/users/${carol.id}`, { role: 300 })
    assert.equal(await describe(), 200)
    await adam.patch(`/users/${carol.id}`, { role: 400 })
    assert.equal(await describe(), 400)
  })
})

everyHost('create-user', (at) => {
  it('sends the groups that the new user is in', async () => {
    const { olga, gus, bob } = at.people
    const members = await systemGroupId(bob, 'role:members')
    const full = await systemGroupId(bob, 'role:fullmembers')
    const feed = await gus.listen(groupEvents)

    const params = { email: 'n@x.example', full_name: 'Newcomer', password: 'long staple 77 x' }
    const { user_id } = (await olga.post('/users', params)).body

    const about = { type: 'user_group', op: 'add_members', user_ids: [user_id] }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...about, group_id: members },
      { ...about, group_id: full },
    ])
  })
})

everyHost('reactivate-user', (at) => {
  it('adds the user back to all groups', async () => {
    const { adam, alice, carol, gus } = at.people
    const [members, full] = [
      await systemGroupId(alice, 'role:members'),
      await systemGroupId(alice, 'role:fullmembers'),
    ]
    const id = await makeGroup(alice, 'loyal', { members: [carol.id, alice.id] })
    const feed = await gus.listen(groupEvents)

    await adam.delete(`/users/${carol.id}`)
    assert.deepEqual((await findGroup(alice, 'loyal')).members, [alice.id])
    assert.deepEqual(await feed.drain(), [])
    await adam.post(`/users/${carol.id}/reactivate`)

    assert.deepEqual((await findGroup(alice, 'loyal')).members, [alice.id, carol.id])
    const about = { type: 'user_group', op: 'add_members', user_ids: [carol.id] }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...about, group_id: members },
      { ...about, group_id: full },
      { ...about, group_id: id },
    ])
  })
})

everyHost(
  'deactivate-user',
  (at) => {
    it('removes the user from the groups of guests without access to the user', async () => {
      const { adam, alice, carol, mona, gus, bob } = at.people
      await alice.delete('/users/me/subscriptions', { subscriptions: ['general'] })
      await mona.whisper([gus], 'Hello')
      const id = await makeGroup(bob, 'closing', { members: [alice.id, carol.id, mona.id] })
      const [members, full] = [
        await systemGroupId(bob, 'role:members'),
        await systemGroupId(bob, 'role:fullmembers'),
      ]
      const [gusFeed, bobFeed] = [await gus.listen(groupEvents), await bob.listen(groupEvents)]

      await adam.delete(`/users/${alice.id}`)
      await adam.delete(`/users/${carol.id}`)
      await adam.delete(`/users/${mona.id}`)

      const left = (user: { id: number }) =>
        [members, full, id].map((group_id) => ({
          type: 'user_group',
          op: 'remove_members',
          group_id,
          user_ids: [user.id],
        }))
      // Carol too: the channel of a deactivated user gives no access. Not Mona, who wrote to him.
      assert.deepEqual(withoutIds(await gusFeed.drain()), [...left(alice), ...left(carol)])
      assert.deepEqual(await bobFeed.drain(), [])
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
