import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeBot, managedBy } from '../support/bots.js'
import { hearing, kinds, makeChannel } from '../support/channels.js'
import type { FedEvent } from '../support/event-feed.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost, everySeparateHost, type HostCase } from '../support/host.js'
import { createdField } from '../support/profile-fields.js'
import { statementsOf } from '../support/statements.js'

/** All events but messages, because notification messages can be about anything. */
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

everySeparateHost('update-user', (at) => {
  it('sends a new administrator events about accessible channels and bots, until demotion', async () => {
    const { mona, carol, gus, bot } = at.people
    const own = await makeBot(mona)
    const groups = await Promise.all(
      ['role:moderators', 'role:administrators'].map((name) => systemGroupId(mona, name)),
    )

    const up = await hearing({ mona, carol, gus }, setRole(at, 'mona', 200), everything)
    const managed = await managedBy(mona)
    const down = await hearing({ mona, carol, gus }, setRole(at, 'mona', 300), everything)

    const appeared = ['stream/create', 'subscription/peer_add', 'subscription/peer_add']
    assert.deepEqual(kinds(up.mona), [...roleChange, ...appeared, 'realm_bot/add'])
    assert.deepEqual(kinds(down.mona), [...roleChange, 'stream/delete', 'realm_bot/delete'])
    for (const events of [up.carol, up.gus, down.carol, down.gus]) {
      assert.deepEqual(kinds(events), roleChange)
    }
    assert.deepEqual(up.mona[0]?.['person'], { user_id: mona.id, role: 200 })
    assert.deepEqual(
      up.mona.slice(1, 3).map(({ group_id, user_ids }) => [group_id, user_ids]),
      groups.map((id) => [id, [mona.id]]),
    )
    assert.deepEqual(up.mona.at(-1)?.['bot'], managed[0])
    assert.deepEqual(down.mona.at(-1)?.['bot'], { user_id: bot.id })
    assert.deepEqual(
      (await managedBy(mona)).map(({ user_id }) => user_id),
      [own.user_id],
    )
  })

  it('sends a new member events about public channels, until demotion to guest', async () => {
    const { alice, gus } = at.people

    const up = await hearing({ alice, gus }, setRole(at, 'gus', 400), everything)
    const down = await hearing({ alice, gus }, setRole(at, 'gus', 600), everything)

    const toFull = [...roleChange, 'user_group/add_members']
    assert.deepEqual(kinds(up.alice), toFull)
    assert.deepEqual(kinds(up.gus).slice(0, toFull.length), toFull)
    const shown = new Set(kinds(up.gus).slice(toFull.length))
    assert.deepEqual([...shown], ['stream/create', 'subscription/peer_add', 'default_streams'])
    assert.deepEqual(up.gus.at(-1)?.['default_streams'], [at.channels.general])
    assert.deepEqual(kinds(down.gus).slice(-2), ['stream/delete', 'default_streams'])
    assert.deepEqual(down.gus.at(-1)?.['default_streams'], [])
  })

  it('sends the addresses that a role shows and hides, and no others', async () => {
    const { alice, bob, mona, carol } = at.people
    const seenBy = { alice: 3, bob: 5 } as const
    for (const [name, email_address_visibility] of Object.entries(seenBy)) {
      await at.people[name as 'alice'].patch('/settings', { email_address_visibility })
    }
    const ofPeople = { event_types: ['realm_user'] }

    const up = await hearing({ mona, carol }, setRole(at, 'mona', 200), ofPeople)
    const down = await hearing({ mona, carol }, setRole(at, 'mona', 400), ofPeople)

    const change = (role: number): unknown => ({ user_id: mona.id, role })
    const shown = { user_id: alice.id, delivery_email: alice.email }
    const hidden = [alice, bob].map(({ id }) => ({ user_id: id, delivery_email: null }))
    const persons = (events: readonly FedEvent[]): unknown[] => events.map(({ person }) => person)
    assert.deepEqual(persons(up.mona), [change(200), shown])
    assert.deepEqual(persons(down.mona), [change(400), ...hidden])
    assert.deepEqual(persons(up.carol), [change(200)])
    assert.deepEqual(persons(down.carol), [change(400)])
    await setRole(at, 'mona', 300)()
  })

  it('uses the same number of statements however many addresses a role shows and hides', async () => {
    const { olga } = at.people
    const promotion = async (): Promise<number> => {
      const statements = await statementsOf(at.host, setRole(at, 'carol', 200))
      await setRole(at, 'carol', 400)()
      return statements.length
    }
    const addAddress = async (name: string): Promise<void> => {
      await makeChannel(olga, `shown ${name}`, { is_private: true })
      await makeBot(olga)
    }
    await promotion()
    // The first further event takes a number in the log that the write did not take at its beginning.
    await addAddress('zero')
    const few = await promotion()
    for (const name of ['one', 'two', 'three']) await addAddress(name)

    assert.ok((await promotion()) <= few)
  })
})

everyHost(
  'update-user',
  (at) => {
    it('hides users from a member who becomes a guest, and shows them again', async () => {
      const { carol, bob, alice, bot } = at.people
      const field = await createdField(at.people.olga, { name: 'Pronouns' })
      await alice.patch('/users/me/profile_data', { data: [{ id: field, value: 'they' }] })
      await carol.delete('/users/me/subscriptions', { subscriptions: ['general'] })
      await carol.whisper([bob], 'We know each other')
      const ofPeople = { event_types: ['realm_user'] }
      const { body } = await carol.post('/register', ofPeople)
      const people = [...body.realm_users, ...body.realm_non_active_users]

      const hidden = await hearing({ carol, bob }, setRole(at, 'carol', 600), ofPeople)
      const shown = await hearing({ carol, bob }, setRole(at, 'carol', 400), ofPeople)

      const known = [bob.id, carol.id, bot.id]
      const hiddenIds = people.map(({ user_id }) => user_id).filter((id) => !known.includes(id))
      assert.deepEqual(hidden.carol[0]?.['person'], { user_id: carol.id, role: 600 })
      assert.deepEqual(
        hidden.carol.slice(1).map(({ op, person }) => [op, person]),
        hiddenIds.map((user_id) => ['remove', { user_id, full_name: 'Unknown user' }]),
      )
      const again = shown.carol.filter(({ op }) => op === 'add').map(({ person }) => person)
      assert.deepEqual(
        again.map(({ user_id }) => user_id),
        hiddenIds.toSorted((a, b) => a - b),
      )
      assert.deepEqual(again.find(({ user_id }) => user_id === alice.id).profile_data, {
        [field]: { value: 'they', rendered_value: '<p>they</p>' },
      })
      assert.deepEqual(
        [...hidden.bob, ...shown.bob].map(({ person }) => person),
        [600, 400].map((role) => ({ user_id: carol.id, role })),
      )
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
