import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing, kinds } from '../support/channels.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'

/** Everything but messages, which the notification bot may write about anything. */
const everything = {
  event_types: [
    'realm_user',
    'realm_bot',
    'user_group',
    'stream',
    'subscription',
    'default_streams',
    'user_settings',
    'realm',
    'presence',
  ],
}

const setRole = (at: HostCase, name: 'mona' | 'carol' | 'gus', role: number) => async () => {
  const answer = await at.people.olga.patch(`/users/${at.people[name].id}`, { role })
  assert.equal(answer.status, 200, answer.text)
}

const roleChange = ['realm_user/update', 'user_group/remove_members', 'user_group/add_members']

everyHost('update-user', (at) => {
  it('tells a new administrator of channels that appear, and of no bots', async () => {
    const { mona, carol, gus } = at.people
    const groups = await Promise.all(
      ['role:moderators', 'role:administrators'].map((name) => systemGroupId(mona, name)),
    )

    const up = await hearing({ mona, carol, gus }, setRole(at, 'mona', 200), everything)
    const down = await hearing({ mona, carol, gus }, setRole(at, 'mona', 300), everything)

    const appeared = ['stream/create', 'subscription/peer_add', 'subscription/peer_add']
    assert.deepEqual(kinds(up.mona), [...roleChange, ...appeared])
    assert.deepEqual(kinds(down.mona), [...roleChange, 'stream/delete'])
    for (const events of [up.carol, up.gus, down.carol, down.gus]) {
      assert.deepEqual(kinds(events), roleChange)
    }
    assert.deepEqual(up.mona[0]?.['person'], { user_id: mona.id, role: 200 })
    assert.deepEqual(
      up.mona.slice(1, 3).map(({ group_id, user_ids }) => [group_id, user_ids]),
      groups.map((id) => [id, [mona.id]]),
    )
    const { body } = await mona.post('/register', { fetch_event_types: ['realm_bot'] })
    assert.deepEqual(body.realm_bots, [])
  })

  it('tells a guest who becomes a member of public channels, and of no default channels', async () => {
    const { alice, gus } = at.people

    const up = await hearing({ alice, gus }, setRole(at, 'gus', 400), everything)
    const down = await hearing({ alice, gus }, setRole(at, 'gus', 600), everything)

    const toFull = [...roleChange, 'user_group/add_members']
    assert.deepEqual(kinds(up.alice), toFull)
    assert.deepEqual(kinds(up.gus).slice(0, toFull.length), toFull)
    const shown = new Set(kinds(up.gus).slice(toFull.length))
    assert.deepEqual([...shown], ['stream/create', 'subscription/peer_add'])
    assert.deepEqual(kinds(down.gus).slice(-1), ['stream/delete'])
    assert.ok(!kinds(down.gus).includes('default_streams'))
  })
})

everyHost(
  'update-user',
  (at) => {
    it('tells nothing of people when an account becomes a guest, or is one no longer', async () => {
      const { carol, bob } = at.people
      await carol.delete('/users/me/subscriptions', { subscriptions: ['general'] })
      const ofPeople = { event_types: ['realm_user'] }

      const heard = await hearing(
        { carol, bob },
        async () => {
          await setRole(at, 'carol', 600)()
          await setRole(at, 'carol', 400)()
        },
        ofPeople,
      )

      const changes = [600, 400].map((role) => ({ user_id: carol.id, role }))
      assert.deepEqual(
        heard.carol.map(({ op, person }) => [op, person]),
        changes.map((person) => ['update', person]),
      )
      assert.deepEqual(
        heard.bob.map(({ person }) => person),
        changes,
      )
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
