import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { SyncedUser } from '@parley/core'

import { everyDatabase } from '../support/host.js'
import { EventFeed } from '../support/event-feed.js'
import { statementsOf } from '../support/statements.js'

const person = (id: string | number, more: Partial<SyncedUser> = {}): SyncedUser => ({
  externalId: id,
  email: `person${id}@product.example`,
  fullName: `Person ${id}`,
  ...more,
})
const people = (from: number, to: number): SyncedUser[] =>
  Array.from({ length: to - from }, (_, index) => person(from + index))

const nothing = { created: 0, updated: 0, unchanged: 0, deactivated: 0, problems: [] }
const takenAddress = 'Another account has the address'
const onlyOwner = 'The only owner of the organization stays one'

everyDatabase('chat.users', 'express', (at) => {
  const here = () => ({ organization: at.subdomain })
  const sync = (users: readonly SyncedUser[], more = {}) =>
    at.host.chat.users.sync(users, { ...here(), ...more })
  const find = (id: string | number) => at.host.chat.users.find(id, here())

  it('sync deactivates users who are inactive or missing, and reactivates them, but keeps the only owner', async () => {
    const all = [
      person('stays'),
      person('leaves'),
      person('missing'),
      person('chief', { role: 100 }),
    ]
    await sync(all)
    await at.people.olga.delete('/users/me')
    const remaining = [
      person('stays'),
      person('leaves', { isActive: false }),
      person('never', { isActive: false }),
    ]

    const result = await sync(remaining, { deactivateMissing: true })

    assert.deepEqual(result.problems, [{ externalId: 'chief', message: onlyOwner }])
    for (const [id, isActive] of [
      ['stays', true],
      ['leaves', false],
      ['missing', false],
      ['chief', true],
    ] as const) {
      assert.equal((await find(id))?.isActive, isActive, id)
    }
    assert.equal(await find('never'), undefined)
    assert.equal(
      (await at.people.alice.get('/users/me')).status,
      200,
      'has no id of the application',
    )
    await sync([person('deputy', { role: 100 })])
    const nobody = await sync([person('chief', { role: 400 }), person('deputy', { role: 400 })])
    assert.deepEqual(
      [nobody.updated, nobody.unchanged, nobody.problems],
      [1, 1, [{ externalId: 'deputy', message: onlyOwner }]],
    )
    await sync([person('chief', { role: 100 })])
    await sync([person('deputy', { role: 400 })])
    const demoted = await sync([person('chief', { role: 400 })])
    assert.deepEqual(demoted, {
      ...nothing,
      unchanged: 1,
      problems: [{ externalId: 'chief', message: onlyOwner }],
    })
    assert.equal((await sync([person('leaves')])).unchanged, 1)
    assert.equal((await sync([person('leaves', { isActive: true })])).updated, 1)
    assert.equal((await find('leaves'))?.isActive, true)
  })

  it('sync creates users as a login does, in batches, and changes nothing the second time', async () => {
    const queue = await EventFeed.register(at.people.alice, {
      event_types: ['realm_user', 'user_group', 'subscription'],
    })

    assert.deepEqual(await sync(people(1000, 1600)), { ...nothing, created: 600 })
    assert.deepEqual(await sync(people(1000, 1600)), { ...nothing, unchanged: 600 })

    const events = await queue.drain()
    const added = events.filter(({ type, op }) => type === 'realm_user' && op === 'add')
    assert.equal(
      new Set(added.map(({ person }) => (person as { user_id: number }).user_id)).size,
      600,
    )
    const peers = events.filter(({ op }) => op === 'peer_add')
    assert.ok(peers.length > 0 && peers.length <= 3, `${peers.length} events about subscribers`)
    const subscribers = peers.flatMap(({ user_ids }) => user_ids as number[])
    assert.equal(subscribers.length, 600)

    const user = await find(1599)
    assert.ok(user !== undefined && user.isActive && user.role === 400)
    const { api } = at.host.chat.as({ externalId: 1599, ...here() })
    const { subscriptions } = await api.getSubscriptions()
    assert.deepEqual(
      subscriptions.map(({ name }) => name),
      ['general'],
    )
    const { messages } = await api.getMessages({
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'dm' }],
    })
    assert.equal(messages.length, 1)
    assert.ok(messages[0]?.flags.includes('starred'))
    for (const id of [1000, 1599]) {
      const found = await at.host.chat.as({ externalId: id, ...here() }).api.getMessages({
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator: 'search', operand: 'welcome' }],
      })
      assert.equal(found.messages.length, 1, 'each has the words of the shared text')
    }
  })

  it('sync needs no more statements for more users of a batch', async () => {
    const count = async (users: readonly SyncedUser[]): Promise<number> =>
      (await statementsOf(at.host, () => sync(users))).length
    await sync(people(2000, 2010))

    const few = await count(people(2010, 2020))
    const many = await count(people(2020, 2220))
    const unchanged = await count(people(2000, 2220))

    assert.ok(many <= few + 5, `${many} statements for 200 users, ${few} for 10`)
    assert.ok(unchanged <= 5, `${unchanged} statements without a change`)
    const renamed = people(2020, 2070).map((user) => ({ ...user, fullName: 'The same' }))
    const perUser = (await count(renamed)) / renamed.length
    assert.ok(perUser <= 4, `${perUser} statements for each changed user`)
  })

  it('sync applies changed names, addresses and roles, with the usual events', async () => {
    await sync([person('changing')])
    const queue = await EventFeed.register(at.people.alice, { event_types: ['realm_user'] })
    const wanted = person('changing', {
      fullName: 'New Name',
      email: 'new@product.example',
      role: 300,
    })

    assert.deepEqual(await sync([wanted]), { ...nothing, updated: 1 })

    const { id, ...rest } = (await find('changing'))!
    assert.deepEqual(rest, { ...wanted, externalId: 'changing', isActive: true })
    const changes = (await queue.drain()).map(({ person: change }) =>
      Object.keys(change as object).filter((key) => key !== 'user_id'),
    )
    for (const field of ['delivery_email', 'full_name', 'new_email', 'role']) {
      assert.equal(changes.flat().filter((key) => key === field).length, 1, field)
    }
    assert.equal((await at.people.alice.get(`/users/${id}`)).body.user.full_name, 'New Name')
  })

  it('sync gives a taken address to nobody, also within the list, and says so', async () => {
    const taken = person('taken', { email: `bob@${at.subdomain}.example` })
    const twin = person('twin', { email: 'same@product.example' })
    const other = person('other', { email: 'SAME@product.example' })
    const expected = [
      { externalId: 'taken', message: takenAddress },
      { externalId: 'other', message: takenAddress },
    ]

    const first = await sync([taken, twin, other])
    assert.deepEqual(first, { ...nothing, created: 3, problems: expected })
    const second = await sync([taken, twin, other])
    assert.deepEqual(second, { ...nothing, unchanged: 3, problems: expected })

    assert.match((await find('taken'))!.email, /^login-[0-9a-f]{20}@/)
    assert.equal((await find('twin'))!.email, 'same@product.example')
  })

  it('sync reports invalid users and goes on', async () => {
    const result = await sync([
      person('wrong', { email: 'no address' }),
      person('right'),
      person('right'),
    ])

    assert.deepEqual(
      { ...result, problems: result.problems.map(({ externalId }) => externalId) },
      { ...nothing, created: 1, problems: ['wrong', 'right'] },
    )
    assert.match(result.problems[0]!.message, /email/)
    assert.equal(await find('wrong'), undefined)
  })

  it('sync throws before it changes anything if it cannot know whom a list means', async () => {
    const anyone: SyncedUser = JSON.parse('{"email":"a@b.example","fullName":"A"}')
    await assert.rejects(sync([person('before'), anyone]), {
      name: 'TypeError',
      message: /users\[1\]\.externalId/,
    })
    assert.equal(await find('before'), undefined)
    await assert.rejects(sync([], { deactivateMissing: true }), {
      name: 'TypeError',
      message: /empty list/,
    })
  })

  it('find, idOf and externalIdOf translate ids both ways', async () => {
    await sync([person(7), person('seven')])
    const { users } = at.host.chat

    const ids = await users.idOf([7, 'seven', 'nobody'], here())

    assert.deepEqual([...ids.keys()].sort(), ['7', 'seven'])
    const back = await users.externalIdOf([...ids.values(), at.people.alice.id], here())
    assert.deepEqual(new Map([...back].map(([id, externalId]) => [externalId, id])), ids)
    assert.equal((await find('7'))?.id, ids.get('7'))
    await assert.rejects(users.idOf([''], here()), TypeError)
    await assert.rejects(users.externalIdOf([Number.NaN], here()), TypeError)
    await assert.rejects(users.find('7', { organization: 'nowhere' }), { code: 'BAD_REQUEST' })
  })
})
