import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]
const notFound = [400, 'BAD_REQUEST', 'No such user']
const forbidden = [400, 'BAD_REQUEST', 'Insufficient permission']
const needsOwner = [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner']
const needsAdministrator = [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']

const update = (actor: Client, target: Client, params: Record<string, unknown>) =>
  actor.patch(`/users/${target.id}`, params)

const roleOf = async (at: HostCase, client: Client): Promise<number> =>
  (await at.people.olga.get(`/users/${client.id}`)).body.user.role

everyHost('update-user', (at) => {
  it('changes the name, and sends the event to all users with access to the user', async () => {
    const { adam, alice, bob, gus, bot } = at.people
    const types = { event_types: ['realm_user', 'realm_bot'] }
    const feeds = await Promise.all([bob, alice, gus, bot, adam].map((one) => one.listen(types)))

    const answer = await update(adam, bob, { full_name: '  Robert  ' })
    const again = await update(adam, bob, { full_name: 'Robert' })
    const blank = await update(adam, bob, { full_name: '  ' })

    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    assert.deepEqual([again.status, blank.status], [200, 200])
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm_user', op: 'update', person: { user_id: bob.id, full_name: 'Robert' } },
      ])
    }
    assert.equal((await alice.get(`/users/${bob.id}`)).body.user.full_name, 'Robert')
  })

  it("lets a bot's owner rename it, and sends the event to its managers", async () => {
    const { alice, bob, adam, bot } = at.people
    const types = { event_types: ['realm_bot'] }
    const [feed, adamFeed, bobFeed] = [
      await alice.listen(types),
      await adam.listen(types),
      await bob.listen(types),
    ]

    assert.equal((await update(alice, bot, { full_name: 'Botty' })).status, 200)

    const expected = [
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.id, full_name: 'Botty' } },
    ]
    assert.deepEqual(withoutIds(await feed.drain()), expected)
    assert.deepEqual(withoutIds(await adamFeed.drain()), expected)
    assert.deepEqual(await bobFeed.drain(), [])
    assert.deepEqual(refusal(await update(alice, bot, { role: 300 })), needsAdministrator)
    assert.deepEqual(refusal(await update(alice, bot, { role: 100 })), needsOwner)
  })

  it('rejects changes by all other users, also of themselves', async () => {
    const { mona, alice, bob, gus, bot } = at.people
    for (const actor of [mona, alice, gus, bot]) {
      for (const target of [bob, actor]) {
        assert.deepEqual(
          refusal(await update(actor, target, { full_name: 'New Name', role: 100 })),
          forbidden,
          `${actor.name} changes ${target.name}`,
        )
      }
    }
    assert.equal((await update(at.nobody, bob, {})).status, 401)
  })

  it('rejects users of other organizations', async () => {
    const { adam, alice } = at.people
    const elsewhere = await at.host.organization()

    const unknown = await adam.patch(`/users/${at.unknownId}`, { full_name: 'New Name' })
    const foreign = await update(adam, elsewhere.people.bob, { full_name: 'New Name' })

    assert.deepEqual(refusal(unknown), notFound)
    assert.equal(foreign.text, unknown.text)
    assert.equal((await update(alice, elsewhere.people.bob, {})).text, unknown.text)
    const { body } = await elsewhere.people.bob.get('/users/me')
    assert.equal(body.full_name, 'Bob Test')
  })

  it('changes nothing if one of the values is invalid', async () => {
    const { olga, carol, alice } = at.people
    const feed = await alice.listen({ event_types: ['realm_user'] })

    const answer = await update(olga, carol, {
      role: 300,
      full_name: 'Caroline',
      new_email: 'no address',
    })

    assert.deepEqual(refusal(answer), [400, 'BAD_REQUEST', 'Invalid new email address.'])
    assert.deepEqual(await feed.drain(), [])
    assert.equal(await roleOf(at, carol), 400)
  })

  it('validates names, and renames deactivated users', async () => {
    const { adam, carol, dora } = at.people

    assert.equal(
      (await update(adam, carol, { full_name: 'x@y' })).body.msg,
      'Invalid characters in name!',
    )
    assert.equal((await update(adam, dora, { full_name: 'Dorothea' })).status, 200)
  })

  it('succeeds without parameters, and lists unsupported ones', async () => {
    const { adam, carol } = at.people

    assert.deepEqual((await update(adam, carol, { is_admin: true })).body, {
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['is_admin'],
    })
  })

  it('rejects profile data of unknown fields', async () => {
    const { adam, carol } = at.people
    const profile_data = [{ id: 77, value: 'x' }]

    assert.equal((await update(adam, carol, { profile_data: [] })).status, 200)
    assert.equal((await update(adam, carol, { profile_data })).body.msg, 'Field id 77 not found.')
    assert.equal(
      (await update(adam, carol, { profile_data: 'x' })).body.msg,
      'profile_data is not valid JSON',
    )
  })
})

everyHost('update-user', (at) => {
  it("changes a role, sends the event to all users, and applies the role's permissions", async () => {
    const { adam, bob, gus, carol } = at.people
    const types = { event_types: ['realm_user'] }
    const feeds = await Promise.all([bob, gus, carol].map((client) => client.listen(types)))

    assert.equal((await update(adam, bob, { role: 200 })).status, 200)
    assert.equal((await update(adam, bob, { role: 200 })).status, 200)

    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm_user', op: 'update', person: { user_id: bob.id, role: 200 } },
      ])
    }
    assert.equal((await update(bob, carol, { role: 300 })).status, 200)
    assert.equal(await roleOf(at, carol), 300)
    assert.equal((await update(adam, bob, { role: 400 })).status, 200)
    assert.deepEqual(refusal(await update(bob, carol, { role: 400 })), forbidden)
  })

  it('lets only owners change who is an owner', async () => {
    const { olga, adam, mona } = at.people

    assert.deepEqual(refusal(await update(adam, mona, { role: 100 })), needsOwner)
    assert.deepEqual(refusal(await update(adam, olga, { role: 400 })), needsOwner)
    assert.equal((await update(olga, mona, { role: 100 })).status, 200)
    assert.equal((await update(mona, mona, { role: 300 })).status, 200)
  })

  it('requires another owner in the organization', async () => {
    const { olga, bot } = at.people
    assert.equal((await update(olga, bot, { role: 100 })).status, 200)

    assert.deepEqual(refusal(await update(olga, olga, { role: 200 })), [
      400,
      'BAD_REQUEST',
      'The owner permission cannot be removed from the only organization owner.',
    ])
    assert.equal((await update(olga, bot, { role: 400 })).status, 200)
  })

  it('keeps an owner when two owners change their roles concurrently', async () => {
    const { olga, adam } = at.people
    assert.equal((await update(olga, adam, { role: 100 })).status, 200)

    const answers = await Promise.all([
      update(olga, olga, { role: 400 }),
      update(adam, adam, { role: 400 }),
    ])

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    const stays = answers[0].status === 400 ? olga : adam
    const left = stays === olga ? adam : olga
    assert.equal((await update(stays, left, { role: left === olga ? 100 : 200 })).status, 200)
    if (left === olga) assert.equal((await update(olga, adam, { role: 200 })).status, 200)
  })

  it('rejects a change from guest to administrator or owner', async () => {
    const { olga, adam, gus } = at.people
    const refused = [400, 'BAD_REQUEST', 'Guests cannot be organization administrators']

    assert.deepEqual(refusal(await update(adam, gus, { role: 200 })), refused)
    assert.deepEqual(refusal(await update(olga, gus, { role: 100 })), refused)
    assert.equal((await update(adam, gus, { role: 400 })).status, 200)
    assert.equal((await update(adam, gus, { role: 600 })).status, 200)
  })

  it('accepts five roles', async () => {
    const { olga, carol } = at.people

    assert.equal(
      (await update(olga, carol, { role: 500 })).body.msg,
      'Invalid role: Value error, Not in the list of possible values',
    )
    assert.equal((await update(olga, carol, { role: '"200"' })).body.msg, 'role is not an integer')
    assert.equal((await update(olga, carol, { role: 'x' })).body.msg, 'role is not valid JSON')
  })
})

everyHost('update-user', (at) => {
  it('changes the address, which is valid with the API key from then on', async () => {
    const { olga, carol, alice, gus } = at.people
    const types = { event_types: ['realm_user'] }
    const feeds = [await alice.listen(types), await gus.listen(types)]
    const new_email = `Caroline@${at.subdomain}.example`

    const answer = await update(olga, carol, { new_email })

    assert.equal(answer.status, 200)
    assert.equal((await carol.get('/users/me')).status, 401)
    const renewed = at.host.client(
      at.subdomain,
      { email: new_email, apiKey: carol.credentials?.apiKey ?? '' },
      carol.id,
      'carol',
    )
    const { body } = await renewed.get('/users/me')
    assert.equal(body.delivery_email, new_email)
    for (const feed of feeds) {
      const events = withoutIds(await feed.drain())
      const persons = events.map((event) => event['person'] as Record<string, unknown>)
      assert.deepEqual(persons, [
        { user_id: carol.id, delivery_email: new_email },
        { user_id: carol.id, new_email },
      ])
    }
    await update(olga, renewed, { new_email: carol.email })
  })

  it('requires the role and the permission', async () => {
    const { adam, alice, bot, bob } = at.people
    const refused = [400, 'BAD_REQUEST', 'User not authorized to change user emails']
    const new_email = 'x@people.example'

    assert.deepEqual(refusal(await update(adam, bob, { new_email })), refused)
    assert.deepEqual(refusal(await update(alice, bot, { new_email, role: 100 })), refused)
    assert.deepEqual(refusal(await update(alice, bob, { new_email })), forbidden)
  })

  it('rejects addresses that are invalid or taken', async () => {
    const { olga, alice, bob, dora } = at.people
    for (const [new_email, msg] of [
      ['no address', 'Invalid new email address.'],
      ['', 'Invalid new email address.'],
      ['a\u202E@example.com', 'Invalid new email address.'],
      [alice.email.toUpperCase(), 'New email value error: Already has an account.'],
      [dora.email, 'New email value error: Account has been deactivated.'],
    ]) {
      const answer = await update(olga, bob, { new_email })
      assert.deepEqual(refusal(answer), [400, 'BAD_REQUEST', msg])
    }
    assert.equal((await update(olga, bob, { new_email: bob.email })).status, 200)
    assert.equal((await update(olga, bob, { new_email: bob.email.toUpperCase() })).status, 200)
    assert.equal((await update(olga, bob, { new_email: bob.email })).status, 200)
  })
})

everyHost(
  'update-user',
  (at) => {
    it('sends a hidden address only to users with access to it', async () => {
      const { olga, adam, mona, alice, carol } = at.people
      const types = { event_types: ['realm_user'] }
      const [olgaFeed, adamFeed] = [await olga.listen(types), await adam.listen(types)]
      const [monaFeed, aliceFeed] = [await mona.listen(types), await alice.listen(types)]
      const new_email = `hidden@${at.subdomain}.example`

      assert.equal((await update(olga, carol, { new_email })).status, 200)

      for (const feed of [olgaFeed, adamFeed]) {
        const persons = (await feed.drain()).map((event) => event['person'])
        assert.deepEqual(persons, [{ user_id: carol.id, delivery_email: new_email }])
      }
      for (const feed of [monaFeed, aliceFeed]) {
        assert.deepEqual(await feed.drain(), [])
      }
    })
  },
  { userSettings: { carol: { email_address_visibility: 3 } } },
)

everyHost('update-user-by-email', (at) => {
  it('finds users by their addresses', async () => {
    const { adam, bob, bot } = at.people

    const byAddress = await adam.patch(`/users/${bob.email}`, { full_name: 'Robert' })
    const ofBot = await adam.patch(`/users/${bot.email.toUpperCase()}`, { full_name: 'Botty' })
    const unknown = await adam.patch('/users/nobody@nowhere.example', { full_name: 'Robert' })

    assert.deepEqual(byAddress.body, { result: 'success', msg: '' })
    assert.equal(ofBot.status, 200)
    assert.deepEqual(refusal(unknown), notFound)
    assert.equal((await bob.get('/users/me')).body.full_name, 'Robert')
  })

  it('applies the same rules', async () => {
    const { olga, adam, alice, bob } = at.people

    assert.deepEqual(refusal(await alice.patch(`/users/${bob.email}`, {})), forbidden)
    assert.deepEqual(refusal(await adam.patch(`/users/${olga.email}`, { role: 400 })), needsOwner)
    assert.equal((await at.nobody.patch(`/users/${bob.email}`)).status, 401)
  })
})

everyHost(
  'update-user-by-email',
  (at) => {
    it('does not find an address that its owner hides', async () => {
      const { adam, bob } = at.people

      assert.deepEqual(refusal(await adam.patch(`/users/${bob.email}`, {})), notFound)
      assert.equal((await adam.patch(`/users/user${bob.id}@users.invalid`, {})).status, 200)
    })
  },
  { userSettings: { bob: { email_address_visibility: 4 } } },
)
