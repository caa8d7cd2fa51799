import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeBot, managedBy } from '../support/bots.js'
import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { reactivate, renewKey } from '../support/reactivation.js'

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]
const notFound = [400, 'BAD_REQUEST', 'No such user']
const forbidden = [400, 'BAD_REQUEST', 'Insufficient permission']
const needsOwner = [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner']

const deactivate = (actor: Client, target: Client): Promise<Answer> =>
  actor.delete(`/users/${target.id}`)

const activity = (client: Client, is_active: boolean) => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: client.id, is_active },
})

everyHost('deactivate-user', (at) => {
  it('deactivates the user and their bots, sends the events to all users, and keeps subscriptions', async () => {
    const { adam, alice, bot, bob, gus, olga } = at.people
    const types = { event_types: ['realm_user', 'realm_bot', 'subscription'] }
    const [bobFeed, olgaFeed] = [await bob.listen(types), await olga.listen(types)]
    const gusFeed = await gus.listen({ event_types: ['realm_user'] })

    const answer = await deactivate(adam, alice)

    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    const received = withoutIds(await bobFeed.drain())
    assert.deepEqual(
      received.filter(({ type }) => type === 'realm_user'),
      [activity(bot, false), activity(alice, false)],
    )
    const peers = received.findIndex((event) => event['op'] === 'peer_remove')
    assert.ok(peers >= 0 && peers < received.findIndex(({ type }) => type === 'realm_user'))
    assert.deepEqual(
      withoutIds(await olgaFeed.drain()).filter(({ type }) => type === 'realm_bot'),
      [{ type: 'realm_bot', op: 'update', bot: { user_id: bot.id, is_active: false } }],
    )
    assert.deepEqual(withoutIds(await gusFeed.drain()), [
      activity(bot, false),
      activity(alice, false),
    ])
    for (const closed of [alice, bot]) {
      const refused = await closed.get('/users/me')
      assert.deepEqual([refused.status, refused.body.code], [401, 'USER_DEACTIVATED'])
    }
    assert.equal((await bob.get(`/users/${alice.id}`)).body.user.is_active, false)
  })

  it('sends no events to a deactivated subscriber, and sends them again after reactivation', async () => {
    const { adam, alice, bob, carol } = at.people
    assert.equal((await reactivate(at, adam, alice)).status, 200)
    await carol.say(at.channels.general, 'before', 'hello')
    assert.equal((await deactivate(adam, carol)).status, 200)

    const missed = await bob.say(at.channels.general, 'meanwhile', 'hello')
    const whispered = await bob.post('/messages', { type: 'direct', to: [carol.id], content: 'x' })
    assert.equal((await reactivate(at, adam, carol)).status, 200)
    const feed = await carol.listen({ event_types: ['message'] })
    const received = await bob.say(at.channels.general, 'after', 'hello')

    assert.equal(whispered.status, 400)
    const [event, ...rest] = await feed.drain()
    assert.deepEqual([event?.['message'].id, rest], [received, []])
    const { body } = await carol.get('/users/me')
    assert.ok(body.max_message_id > missed)
  })

  it('returns an error to users who are not administrators, or not owners if the target is one', async () => {
    const { olga, adam, mona, alice, bob, gus, bot } = at.people
    for (const actor of [mona, bob, gus]) {
      assert.deepEqual(refusal(await deactivate(actor, alice)), forbidden, actor.name)
      assert.deepEqual(refusal(await deactivate(actor, olga)), forbidden, actor.name)
    }
    assert.deepEqual(refusal(await deactivate(bob, bob)), forbidden)
    assert.deepEqual(refusal(await deactivate(adam, olga)), needsOwner)
    assert.deepEqual(refusal(await deactivate(olga, olga)), [
      400,
      'BAD_REQUEST',
      'Cannot deactivate the only organization owner',
    ])
    assert.deepEqual(refusal(await deactivate(adam, bot)), notFound)
    assert.equal((await deactivate(at.nobody, alice)).status, 401)
  })

  it('rejects users of other organizations', async () => {
    const elsewhere = await at.host.organization()
    const { adam } = at.people

    const unknown = await adam.delete(`/users/${at.unknownId}`)

    assert.deepEqual(refusal(unknown), notFound)
    assert.equal((await deactivate(adam, elsewhere.people.bob)).text, unknown.text)
    assert.equal((await elsewhere.people.bob.get('/users/me')).status, 200)
  })

  it('rejects deactivated users, and long comments', async () => {
    const { adam, dora, bob } = at.people

    assert.deepEqual(refusal(await deactivate(adam, dora)), [
      400,
      'BAD_REQUEST',
      'User is deactivated',
    ])
    const long = { deactivation_notification_comment: 'x'.repeat(2001) }
    assert.equal(
      (await adam.delete(`/users/${bob.id}`, long)).body.msg,
      'deactivation_notification_comment is too long (limit: 2000 characters)',
    )
  })

  it('lets an administrator deactivate their own account', async () => {
    const { olga, adam } = at.people

    assert.equal(
      (await adam.delete(`/users/${adam.id}`, { deactivation_notification_comment: 'Bye' })).status,
      200,
    )
    assert.equal((await adam.get('/users/me')).status, 401)
    assert.equal((await reactivate(at, olga, adam)).status, 200)
    assert.equal((await adam.get('/users/me')).status, 200)
  })
})

everyHost('reactivate-user', (at) => {
  it('sends the event to all users, also for an active account', async () => {
    const { adam, dora, gus } = at.people
    const feed = await gus.listen({ event_types: ['realm_user'] })

    const first = await reactivate(at, adam, dora)
    const second = await reactivate(at, adam, dora)

    assert.deepEqual(first.body, { result: 'success', msg: '' })
    assert.deepEqual(second.body, first.body)
    assert.deepEqual(withoutIds(await feed.drain()), [activity(dora, true), activity(dora, true)])
    assert.equal((await dora.get('/users/me')).body.is_active, true)
  })

  it('returns an error to users who are not administrators', async () => {
    const { mona, alice, gus, bot, dora } = at.people
    for (const actor of [mona, alice, gus, bot]) {
      assert.deepEqual(refusal(await reactivate(at, actor, dora)), forbidden, actor.name)
    }
    assert.equal((await reactivate(at, at.nobody, dora)).status, 401)
  })

  it('is restricted to owners for owners, and for the bots of owners', async () => {
    const { olga, adam, mona } = at.people
    await olga.patch(`/users/${mona.id}`, { role: 100 })
    const { user_id } = await makeBot(mona)
    const paths = [mona.id, user_id].map((id) => `/users/${id}/reactivate`)
    for (const isActive of [true, false]) {
      if (!isActive) await deactivate(olga, mona)
      for (const path of paths) assert.deepEqual(refusal(await adam.post(path)), needsOwner)
    }
    for (const path of paths) assert.equal((await olga.post(path)).status, 200)
  })

  it('ends the API keys and tokens of a user and their bot from before the deactivation', async () => {
    const { adam, alice, bot } = at.people
    const made = await makeBot(alice, { bot_type: 3, payload_url: 'https://hook.example/' })
    const outgoing = at.host.client(
      at.subdomain,
      { email: made.email, apiKey: made.api_key },
      made.user_id,
      'outgoing',
    )
    const tokenOf = async (): Promise<string> =>
      (await managedBy(alice)).find(({ user_id }) => user_id === made.user_id)?.services[0].token
    const token = await tokenOf()
    const accounts = [alice, bot, outgoing]
    const before = accounts.map(({ credentials, id, name }) =>
      at.host.client(at.subdomain, credentials, id, name),
    )

    await deactivate(adam, alice)
    for (const account of accounts) await adam.post(`/users/${account.id}/reactivate`)

    for (const client of before) {
      assert.equal((await client.get('/users/me')).body.code, 'INVALID_API_KEY', client.name)
    }
    await renewKey(at, alice)
    assert.notEqual(await tokenOf(), token)
    for (const { user_id, api_key } of await managedBy(alice)) {
      const account = accounts.find(({ id }) => id === user_id)
      if (account !== undefined) account.credentials = { email: account.email, apiKey: api_key }
    }
    for (const client of accounts) assert.equal((await client.get('/users/me')).status, 200)
  })

  it('refuses a bot whose owner is deactivated, until it has another owner', async () => {
    const { adam, carol, bob } = at.people
    const { user_id } = await makeBot(carol)
    await deactivate(adam, carol)
    const path = `/users/${user_id}/reactivate`

    assert.match((await adam.post(path)).body.msg, /^The owner of this bot is deactivated/)
    await adam.patch(`/bots/${user_id}`, { bot_owner_id: bob.id })
    assert.equal((await adam.post(path)).status, 200)
  })

  it('rejects users of other organizations', async () => {
    const elsewhere = await at.host.organization()
    const { adam } = at.people

    const unknown = await adam.post(`/users/${at.unknownId}/reactivate`)

    assert.deepEqual(refusal(unknown), notFound)
    assert.equal((await reactivate(at, adam, elsewhere.people.dora)).text, unknown.text)
    assert.equal((await elsewhere.people.dora.get('/users/me')).status, 401)
  })
})

everyHost(
  'reactivate-user',
  (at) => {
    it('reactivates a bot unless an active one has its name', async () => {
      const { adam, alice, olga } = at.people
      const [old] = (await alice.get('/users')).body.members.filter(
        (user) => user.is_bot && !user.is_active,
      )
      const feed = await olga.listen({ event_types: ['realm_bot'] })
      const path = `/users/${old!.user_id}/reactivate`

      assert.deepEqual(refusal(await adam.post(path)), [
        400,
        'BAD_REQUEST',
        'There is already an active bot named "Helper" in this organization. ' +
          'To reactivate this bot, you must rename or deactivate the other one first.',
      ])
      await adam.patch(`/users/${old!.user_id}`, { full_name: 'Old Helper' })
      assert.equal((await adam.post(path)).status, 200)
      assert.deepEqual(
        withoutIds(await feed.drain()).map((event) => event['bot']),
        [
          { user_id: old!.user_id, full_name: 'Old Helper' },
          { user_id: old!.user_id, is_active: true },
        ],
      )
    })
  },
  {
    more: ({ people, base }) => ({
      bots: [
        {
          id: people.bot,
          email: 'bot@bots.example',
          full_name: 'Helper',
          owner_id: people.alice,
        },
        {
          id: base + 40,
          email: 'old-bot@bots.example',
          full_name: 'Helper',
          owner_id: people.alice,
          is_active: false,
        },
      ],
    }),
  },
)

everyHost(
  'reactivate-user',
  (at) => {
    it('reactivates bots for users who may create bots', async () => {
      const { adam, bot, olga } = at.people
      await adam.delete(`/bots/${bot.id}`)

      assert.deepEqual(refusal(await reactivate(at, adam, bot)), forbidden)
      assert.equal((await reactivate(at, olga, bot)).status, 200)
    })
  },
  { settings: { can_create_bots_group: 'role:owners' } },
)

everyHost('deactivate-own-user', (at) => {
  it("deactivates the caller's account, whatever the role, and sends the event to all users", async () => {
    const { bob, gus, bot, alice, olga } = at.people
    const feed = await olga.listen({ event_types: ['realm_user'] })

    for (const client of [bob, gus, bot]) {
      assert.deepEqual((await client.delete('/users/me')).body, { result: 'success', msg: '' })
      assert.equal((await client.get('/users/me')).body.code, 'USER_DEACTIVATED')
    }

    assert.deepEqual(withoutIds(await feed.drain()), [
      activity(bob, false),
      activity(gus, false),
      activity(bot, false),
    ])
    assert.equal((await alice.get('/users/me')).status, 200)
    assert.equal((await at.nobody.delete('/users/me')).status, 401)
  })

  it('requires another owner in the organization', async () => {
    const { olga } = at.people

    assert.deepEqual((await olga.delete('/users/me')).body, {
      result: 'error',
      msg: 'Cannot deactivate the only organization owner',
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      is_last_owner: true,
      entity: 'organization owner',
    })
  })
})

everyHost(
  'deactivate-own-user',
  (at) => {
    it('requires another user in the organization', async () => {
      const email = 'olga@only.example'
      const apiKey = `only${at.people.olga.id}`.padEnd(32, 'o')
      const olga = at.host.client(at.subdomain, { email, apiKey }, at.people.olga.id, 'olga')

      assert.deepEqual((await olga.delete('/users/me')).body, {
        result: 'error',
        msg: 'Cannot deactivate the only user',
        code: 'CANNOT_DEACTIVATE_LAST_USER',
        is_last_owner: false,
        entity: 'user',
      })
    })
  },
  {
    more: ({ people }) => ({
      users: [
        {
          id: people.olga,
          email: 'olga@only.example',
          full_name: 'Olga Test',
          role: 100,
          api_key: `only${people.olga}`.padEnd(32, 'o'),
        },
      ],
      bots: [],
      channels: [],
    }),
  },
)
