import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'

import type { Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'
import { statementsOf } from '../support/statements.js'

/** More than are made for each request. */
const crowd = 260
const steps = 40

type Step = (at: HostCase, member: number, value: number) => Promise<unknown>

const one = <Value>(values: readonly Value[], index: number): Value =>
  values[index % values.length] as Value

/** Changes of users, of what is shown of them, and of what is not. */
const changes: Readonly<Record<string, Step>> = {
  rename: ({ people }, id, value) => people.olga.patch(`/users/${id}`, { full_name: `N ${value}` }),
  role: ({ people }, id, value) =>
    people.olga.patch(`/users/${id}`, { role: one([200, 300, 400, 600], value) }),
  deactivate: ({ people }, id) => people.olga.delete(`/users/${id}`),
  reactivate: async (at, id) => {
    const { people } = at
    const user = Object.values(people).find((client) => client.id === id)
    if (user === undefined) await people.olga.post(`/users/${id}/reactivate`)
    else await reactivate(at, people.olga, user)
  },
  create: ({ people, subdomain }, _, value) =>
    people.olga.post('/users', {
      email: `new${value}@${subdomain}.example`,
      password: 'correct horse new',
      full_name: `New ${value}`,
    }),
  visibility: ({ people }, _, value) =>
    one([people.alice, people.bob], value).patch('/settings', {
      email_address_visibility: (value % 5) + 1,
    }),
  timezone: ({ people }, _, value) =>
    people.bob.patch('/settings', { timezone: one(['Europe/Vienna', 'Asia/Tokyo'], value) }),
  email: ({ people, host }, id, value) =>
    host.chat.as({ userId: people.olga.id }).api.updateUser({
      user_id: id,
      new_email: `mail${value}@moved.example`,
    }),
  field: ({ people }, _, value) =>
    people.olga.post('/realm/profile_fields', { name: `F ${value}`, field_type: 1 }),
  value: async ({ people }, id, value) => {
    const { body } = await people.olga.get('/realm/profile_fields')
    const field = body.custom_fields?.[0]
    if (field === undefined) return
    await people.olga.patch(`/users/${id}`, {
      profile_data: [{ id: field.id, value: `V ${value}` }],
    })
  },
  unfield: async ({ people }) => {
    const { body } = await people.olga.get('/realm/profile_fields')
    const field = body.custom_fields?.[0]
    if (field !== undefined) await people.olga.delete(`/realm/profile_fields/${field.id}`)
  },
  bot: ({ people }, _, value) =>
    people.alice.post('/bots', { full_name: `Bot ${value}`, short_name: `bot-${value}` }),
  say: ({ people, channels }) => people.alice.say(channels.general, 'topic', 'no change'),
  settings: ({ people }, _, value) => people.olga.patch('/realm', { name: `Realm ${value}` }),
}

type Lists = Readonly<Record<'members' | 'realm_users' | 'realm_non_active_users', unknown>>

async function listed(client: Client, gravatar: boolean): Promise<Pick<Lists, 'members'>> {
  const { body } = await client.get('/users', {
    client_gravatar: gravatar,
    include_custom_profile_fields: gravatar,
  })
  return { members: body.members }
}

async function registered(client: Client, gravatar: boolean): Promise<Omit<Lists, 'members'>> {
  const { body } = await client.post('/register', {
    client_gravatar: gravatar,
    fetch_event_types: ['realm_user'],
    event_types: ['realm_user'],
  })
  await client.delete('/events', { queue_id: body.queue_id })
  const { realm_users, realm_non_active_users } = body
  return { realm_users, realm_non_active_users }
}

async function listsOf(client: Client, gravatar: boolean): Promise<Lists> {
  return { ...(await listed(client, gravatar)), ...(await registered(client, gravatar)) }
}

/** From servers that have just been started, which have kept nothing before. */
async function freshLists(at: HostCase, viewer: Client, gravatar: boolean): Promise<Lists> {
  const [one, other] = [await at.host.another('koa'), await at.host.another('koa')]
  const lists = {
    ...(await listed(one.clientOf(viewer), gravatar)),
    ...(await registered(other.clientOf(viewer), gravatar)),
  }
  // Users who are asked for by their ids are never kept.
  const members = lists.members as readonly { readonly user_id: number }[]
  const { body } = await one.clientOf(viewer).get('/users', {
    client_gravatar: gravatar,
    include_custom_profile_fields: gravatar,
    user_ids: members.map(({ user_id }) => user_id),
  })
  assert.ok(isDeepStrictEqual(members, body.members))
  await one.stop()
  await other.stop()
  return lists
}

everyDatabase('the lists of users of a large organization', 'express', (at) => {
  it('are, after each change, those of a server that keeps nothing', async () => {
    await at.host.chat.users.sync(
      Array.from({ length: crowd }, (_, index) => ({
        externalId: `crowd-${index}`,
        email: `crowd${index}@crowd.example`,
        fullName: `Crowd ${index}`,
      })),
      { organization: at.subdomain },
    )
    const second = await at.host.another('koa')
    const members = (await at.people.olga.get('/users')).body.members
      .map(({ user_id }: { user_id: number }) => user_id)
      .filter((id: number) => id !== at.people.olga.id)
    const names = Object.keys(changes)
    const history = fc.sample(
      fc.tuple(fc.constantFrom(...names), fc.nat(members.length - 1), fc.nat(1000), fc.boolean()),
      { numRuns: steps, seed: 77 },
    )
    for (const [index, [name, which, value, gravatar]] of history.entries()) {
      await changes[name]?.(at, members[which] ?? 0, value)
      const viewer = one([at.people.olga, at.people.alice, at.people.bob, at.people.adam], index)
      const expected = await freshLists(at, viewer, gravatar)
      // Two servers that have seen other states of the list.
      if (index % 3 === 0) {
        assert.deepEqual(await listsOf(second.clientOf(viewer), gravatar), expected, name)
      }
      assert.deepEqual(await listsOf(viewer, gravatar), expected, name)
    }
    await second.stop()
  })

  it('are not read again while no user has changed', async () => {
    const { alice, bob } = at.people
    await listsOf(alice, true)
    await listsOf(alice, true)
    await alice.say(at.channels.general, 'topic', 'no change of a user')

    const statements = await statementsOf(at.host, async () => {
      await listsOf(bob, true)
    })

    const ofAll = statements.filter(
      ({ sql }) => /full_name/.test(sql) && /chat_users/.test(sql) && !/ in \(|`id` = /.test(sql),
    )
    assert.deepEqual(ofAll, [])
  })

  it('are made once for clients that come at the same time, while messages are sent', async () => {
    const { alice, bob } = at.people
    const other = await at.host.another('koa')
    const clients = Array.from({ length: 12 }, () => other.clientOf(bob))
    const expected = await listsOf(bob, true)

    const statements = await statementsOf(at.host, async () => {
      const answers = await Promise.all(
        clients.map(async (client, index) => {
          if (index % 3 === 0) await alice.say(at.channels.general, 'topic', `number ${index}`)
          return registered(client, true)
        }),
      )
      for (const lists of answers) assert.deepEqual({ ...expected, ...lists }, expected)
    })

    const pages = statements.filter(
      ({ sql }) => /full_name/.test(sql) && /[`"]id[`"] > \?/.test(sql),
    )
    assert.equal(pages.length, 1)
    await other.stop()
  })
})
