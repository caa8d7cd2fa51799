import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { plainMember } from '../support/members.js'

const drawn = ({ id }: Client): string => `/user_avatars/default/${id}.png?version=1`

/** A member as all users see them if nothing is hidden. */
function member(client: Client, fullName: string) {
  return {
    user_id: client.id,
    email: client.email,
    delivery_email: client.email,
    full_name: fullName,
    date_joined: '2023-11-14T22:13:20.000+00:00',
    is_active: true,
    ...plainMember,
    avatar_url: drawn(client),
  }
}

const standIn = (client: Client): string => `user${client.id}@users.invalid`

everyHost('get-users', (at) => {
  it('lists all users in the order of their ids, also bots and deactivated users', async () => {
    const { alice, dora, bot, olga } = at.people

    const { body } = await alice.get('/users')

    const ids = body.members.map((user) => user.user_id)
    assert.deepEqual(
      ids,
      Object.values(at.people)
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    )
    const find = ({ id }: Client) => body.members.find((user) => user.user_id === id)
    assert.deepEqual(find(alice), member(alice, 'Alice Test'))
    assert.deepEqual(find(dora), { ...member(dora, 'Dora Test'), is_active: false })
    assert.deepEqual(find(olga), {
      ...member(olga, 'Olga Test'),
      is_owner: true,
      is_admin: true,
      role: 100,
    })
    assert.deepEqual(
      { ...find(bot), date_joined: '' },
      {
        ...member(bot, 'Bot Test'),
        date_joined: '',
        is_bot: true,
        bot_type: 1,
        bot_owner_id: alice.id,
      },
    )
  })

  it('omits unknown ids and duplicates', async () => {
    const { alice, bob, carol } = at.people
    const elsewhere = await at.host.organization()

    const { body } = await alice.get('/users', {
      user_ids: [carol.id, bob.id, carol.id, at.unknownId, elsewhere.people.bob.id],
    })

    const ids = body.members.map((user) => user.user_id)
    assert.deepEqual(ids, [bob.id, carol.id])
    assert.deepEqual((await alice.get('/users', { user_ids: [] })).body.members, [])
  })

  it('includes profile data of people, not of bots, on request only', async () => {
    const { alice, bot } = at.people

    const { body } = await alice.get('/users', {
      user_ids: [alice.id, bot.id],
      include_custom_profile_fields: true,
    })

    assert.deepEqual(body.members[0]!.profile_data, {})
    assert.equal('profile_data' in body.members[1]!, false)
    assert.equal('profile_data' in (await alice.get('/users')).body.members[0]!, false)
  })

  it('accepts calls by guests and bots', async () => {
    for (const client of [at.people.gus, at.people.bot]) {
      assert.equal((await client.get('/users')).body.members.length, 9)
    }
  })

  it('rejects values of other types', async () => {
    const { alice } = at.people
    const texts = await Promise.all([
      alice.get('/users', { user_ids: '1,2' }),
      alice.get('/users', { user_ids: '["1"]' }),
      alice.get('/users', { client_gravatar: '1' }),
      alice.get('/users', { include_custom_profile_fields: 'True' }),
    ])

    assert.deepEqual(
      texts.map(({ body }) => body.msg),
      [
        'user_ids is not valid JSON',
        'user_ids[0] is not an integer',
        'client_gravatar is not a boolean',
        'include_custom_profile_fields is not valid JSON',
      ],
    )
  })
})

/** Users who have access to Bob's address, by the value of his setting. */
const visibilities = [
  { value: 1, sees: ['olga', 'adam', 'mona', 'alice', 'gus', 'bot', 'bob'] },
  { value: 2, sees: ['olga', 'adam', 'mona', 'alice', 'bot', 'bob'] },
  { value: 5, sees: ['olga', 'adam', 'mona', 'bob'] },
  { value: 3, sees: ['olga', 'adam', 'bob'] },
  { value: 4, sees: ['bob'] },
] as const
const viewers = ['olga', 'adam', 'mona', 'alice', 'gus', 'bot', 'bob'] as const

for (const { value, sees } of visibilities) {
  describe(`an address of visibility ${value}`, () => {
    const cases = (at: HostCase) => {
      it('is the same for each viewer in every response', async () => {
        const { bob } = at.people
        const email = value === 1 ? bob.email : standIn(bob)
        for (const name of viewers) {
          const viewer = at.people[name]
          const isSeen = (sees as readonly string[]).includes(name)
          const expected = { email, delivery_email: isSeen ? bob.email : null }
          const pick = (user: Record<string, unknown>) => ({
            email: user['email'],
            delivery_email: user['delivery_email'],
          })

          const list = await viewer.get('/users', { user_ids: [bob.id] })
          const byId = await viewer.get(`/users/${bob.id}`)
          const byStandIn = await viewer.get(`/users/${standIn(bob)}`)
          const byAddress = await viewer.get(`/users/${bob.email.toUpperCase()}`)
          const registered = await viewer.post('/register', { fetch_event_types: ['realm_user'] })
          const users = registered.body.realm_users as { user_id: number }[]

          assert.deepEqual(pick(list.body.members[0]!), expected, name)
          assert.deepEqual(pick(byId.body.user), expected, name)
          assert.deepEqual(pick(byStandIn.body.user), expected, name)
          assert.deepEqual(
            pick(users.find((user) => user.user_id === bob.id) as never),
            expected,
            name,
          )
          // A user's own address is not searchable if others of the same role have no access to it.
          const isFound = isSeen && !(name === 'bob' && value > 2)
          if (isFound) assert.deepEqual(pick(byAddress.body.user), expected, name)
          else assert.equal(byAddress.body.msg, 'No such user', name)
          assert.equal(byId.body.user.avatar_url, drawn(bob), name)
        }
      })
    }
    everyHost('get-user-by-email', cases, {
      userSettings: { bob: { email_address_visibility: value } },
    })
  })
}

everyHost('get-user', (at) => {
  it('finds every user and bot, active or not', async () => {
    const { alice, dora, bot } = at.people

    assert.deepEqual((await alice.get(`/users/${dora.id}`)).body.user, {
      ...member(dora, 'Dora Test'),
      is_active: false,
    })
    const { user } = (await alice.get(`/users/${bot.id}`, { client_gravatar: false })).body
    assert.equal(user.bot_owner_id, alice.id)
    assert.equal(user.avatar_url, drawn(bot))
  })

  it('returns the same error for unknown ids, foreign ids, and ids above the maximum', async () => {
    const { alice } = at.people
    const elsewhere = await at.host.organization()

    const unknown = await alice.get(`/users/${at.unknownId}`)
    const foreign = await alice.get(`/users/${elsewhere.people.bob.id}`)
    const huge = await alice.get('/users/99999999999999999999')

    assert.equal(unknown.status, 400)
    assert.equal(unknown.text, '{"result":"error","msg":"No such user","code":"BAD_REQUEST"}')
    assert.equal(foreign.text, unknown.text)
    assert.equal(huge.text, unknown.text)
  })

  it('requires credentials', async () => {
    assert.equal((await at.nobody.get(`/users/${at.people.bob.id}`)).status, 401)
  })
})

everyHost('get-user-by-email', (at) => {
  it('ignores case, and accepts percent-encoded paths', async () => {
    const { alice, bob } = at.people

    const plain = await alice.get(`/users/${bob.email}`, { include_custom_profile_fields: true })
    const encoded = await alice.get(`/users/${encodeURIComponent(bob.email.toUpperCase())}`)

    assert.deepEqual(plain.body.user, { ...member(bob, 'Bob Test'), profile_data: {} })
    assert.deepEqual(encoded.body.user, member(bob, 'Bob Test'))
  })

  it('finds no address of another organization, in any format', async () => {
    const { alice } = at.people
    const { bob } = (await at.host.organization()).people
    const unknown = await alice.get('/users/nobody@nowhere.example')

    assert.equal(unknown.body.msg, 'No such user')
    for (const address of [bob.email, standIn(bob), `user${at.unknownId}@users.invalid`]) {
      assert.equal((await alice.get(`/users/${address}`)).text, unknown.text, address)
    }
  })
})

everyHost('get-own-user', (at) => {
  it('describes the caller, with avatar, profile data and the newest message', async () => {
    const { carol, alice, gus } = at.people

    const before = await carol.get('/users/me')
    const id = await alice.say(at.channels.general, 'hello', 'hello')
    await alice.say(at.channels.design, 'not for carol', 'hello')
    const after = await carol.get('/users/me', { client_gravatar: true })

    assert.equal(before.body.max_message_id, -1)
    assert.deepEqual(after.body, {
      result: 'success',
      msg: '',
      ...member(carol, 'Carol Test'),
      avatar_url: drawn(carol),
      profile_data: {},
      max_message_id: id,
      ignored_parameters_unsupported: ['client_gravatar'],
    })
    assert.equal((await gus.get('/users/me')).body.is_guest, true)
  })

  it('describes a bot without profile data', async () => {
    const { bot, alice } = at.people

    const { body } = await bot.get('/users/me')

    assert.equal(body.bot_owner_id, alice.id)
    assert.equal('profile_data' in body, false)
  })
})

for (const [id, path] of [
  ['get-users', '/users'],
  ['get-own-user', '/users/me'],
] as const) {
  everyHost(id, (at) => {
    it('requires credentials', async () => {
      const answer = await at.nobody.get(path)

      assert.equal(answer.status, 401)
      assert.equal(answer.body.code, 'UNAUTHORIZED')
    })
  })
}
