import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'

const onlyRealm = { event_types: ['realm'] }

/**
 * Lets two settings name Carol in addition to a group, and a third one a group that contains her.
 */
async function nameCarol(at: HostCase): Promise<{ present: object; absent: object }> {
  const { olga, alice, bob, carol } = at.people
  const moderators = await systemGroupId(bob, 'role:moderators')
  const { body } = await alice.post('/user_groups/create', {
    name: 'with carol',
    description: '',
    members: [carol.id],
  })
  const value = { direct_members: [bob.id, carol.id], direct_subgroups: [moderators] }
  const answer = await olga.patch('/realm', {
    can_create_groups: { new: value },
    can_add_custom_emoji_group: { new: body.group_id },
  })
  assert.equal(answer.status, 200)
  const event = (direct_members: number[]) => ({
    type: 'realm',
    op: 'update_dict',
    property: 'default',
    data: { can_create_groups: { ...value, direct_members } },
  })
  return { present: event([bob.id, carol.id]), absent: event([bob.id]) }
}

everyHost('reactivate-user', (at) => {
  it('sends the settings that name the user again to all users', async () => {
    const { adam, bob, gus, carol } = at.people
    const { present } = await nameCarol(at)
    const feeds = [await bob.listen(onlyRealm), await gus.listen(onlyRealm)]

    await adam.delete(`/users/${carol.id}`)
    const closed = await Promise.all(feeds.map((feed) => feed.drain()))
    await adam.post(`/users/${carol.id}/reactivate`)

    assert.deepEqual(closed, [[], []])
    for (const feed of feeds) assert.deepEqual(withoutIds(await feed.drain()), [present])
  })
})

everyHost(
  'deactivate-user',
  (at) => {
    it('sends the settings that named the user to users who do not have access to the user', async () => {
      const { adam, bob, gus, carol } = at.people
      await carol.delete('/users/me/subscriptions', { subscriptions: ['general'] })
      const { absent } = await nameCarol(at)
      const [withAccess, withoutAccess] = [await bob.listen(onlyRealm), await gus.listen(onlyRealm)]

      await adam.delete(`/users/${carol.id}`)

      assert.deepEqual(await withAccess.drain(), [])
      assert.deepEqual(withoutIds(await withoutAccess.drain()), [absent])
      const { body } = await gus.post('/register', { fetch_event_types: ['realm'] })
      assert.deepEqual(body.realm_can_create_groups.direct_members, [bob.id])
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
