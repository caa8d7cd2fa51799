import assert from 'node:assert/strict'
import { it } from 'node:test'

import { clientOfBot, makeBot, managedBy } from '../support/bots.js'
import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { pngOf, readRoot, sendFiles } from '../support/uploads.js'

const feedOptions = { event_types: ['realm_bot', 'realm_user', 'user_group', 'subscription'] }
const onlyBots = { event_types: ['realm_bot'] }
const noDefaults = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
}

/** Errors that all operations on a bot have in common. */
function refusals(at: HostCase, call: (client: Client, id: number) => Promise<Answer>): void {
  it('is restricted to the owner of the bot and administrators', async () => {
    const { bob, mona, gus, bot } = at.people
    for (const client of [bob, mona]) {
      assertRefused(await call(client, bot.id), 'Insufficient permission')
    }
    assertRefused(await call(gus, bot.id), 'Not allowed for guest users')
    assertRefused(await call(bot, bot.id), 'This endpoint does not accept bot requests.')
  })

  it('refuses the ids of people and of bots in other organizations', async () => {
    const { olga, alice } = at.people
    const other = await at.host.organization()
    for (const id of [alice.id, at.unknownId, other.people.bot.id]) {
      assertRefused(await call(olga, id), 'No such bot')
    }
  })
}

/** The API key of a bot in an event or a list, and the token of its service. */
const secretsOf = (bot: UncheckedJson): string[] => [bot.api_key, bot.services[0].token]

everyHost('update-bot', (at) => {
  refusals(at, (client, id) => client.patch(`/bots/${id}`, { full_name: 'Not this' }))

  it('renames the bot, and sends events to all users', async () => {
    const { alice, adam, bob } = at.people
    const { user_id } = await makeBot(alice)
    const feeds = [await alice.listen(feedOptions), await adam.listen(feedOptions)]
    const other = await bob.listen(feedOptions)

    const { body } = await alice.patch(`/bots/${user_id}`, { full_name: ' Renamed Helper ' })

    assert.deepEqual(body, {
      ...bareSuccess,
      full_name: 'Renamed Helper',
      avatar_url: body.avatar_url,
      service_interface: 1,
      service_payload_url: null,
      ...noDefaults,
      bot_owner: alice.email,
    })
    const person = { user_id, full_name: 'Renamed Helper' }
    const userEvent = { type: 'realm_user', op: 'update', person }
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        userEvent,
        { type: 'realm_bot', op: 'update', bot: person },
      ])
    }
    assert.deepEqual(withoutIds(await other.drain()), [userEvent])
  })

  it('transfers the bot to another owner, with new secrets that only the owner is shown', async () => {
    const { alice, bob, carol, adam, olga } = at.people
    const service = { bot_type: 3, payload_url: 'https://hook.example/' }
    const made = await makeBot(alice, service)
    const { user_id } = made
    const oldToken = (await managedBy(alice)).at(-1)?.services[0].token as string
    const [from, to, adminFeed, otherFeed] = [
      await alice.listen(feedOptions),
      await bob.listen(feedOptions),
      await adam.listen(feedOptions),
      await carol.listen(feedOptions),
    ]

    const { body } = await adam.patch(`/bots/${user_id}`, { bot_owner_id: bob.id })

    assert.equal(body.bot_owner, bob.email)
    const person = { user_id, bot_owner_id: bob.id }
    const userEvent = { type: 'realm_user', op: 'update', person }
    assert.deepEqual(withoutIds(await from.drain()), [
      { type: 'realm_bot', op: 'delete', bot: { user_id } },
      userEvent,
    ])
    const [added, ...more] = withoutIds(await to.drain())
    assert.deepEqual(
      [added?.['op'], (added?.['bot'] as { owner_id?: number } | undefined)?.owner_id],
      ['add', bob.id],
    )
    assert.deepEqual(more, [userEvent])
    const secrets = secretsOf(added?.['bot'])
    assert.deepEqual(
      secrets.map((text) => text.length),
      [32, 32],
    )
    assert.ok(!secrets.includes(made.api_key) && !secrets.includes(oldToken))
    assert.equal((await clientOfBot(at, made).get('/users/me')).body.code, 'INVALID_API_KEY')
    assert.deepEqual(withoutIds(await adminFeed.drain()), [
      { type: 'realm_bot', op: 'update', bot: { user_id, owner_id: bob.id } },
      userEvent,
    ])
    assert.deepEqual(withoutIds(await otherFeed.drain()), [userEvent])
    assertRefused(await alice.patch(`/bots/${user_id}`), 'Insufficient permission')

    await olga.patch(`/bots/${user_id}`, { bot_owner_id: adam.id })
    assert.deepEqual(
      withoutIds(await to.drain()).map(({ type, op }) => `${type}/${op}`),
      ['realm_bot/delete', 'realm_user/update'],
    )
    const [moved, sent, person2, ...none] = withoutIds(await adminFeed.drain())
    assert.deepEqual(
      [moved, sent, person2].map((event) => `${event?.['type']}/${event?.['op']}`),
      ['realm_bot/update', 'realm_bot/update', 'realm_user/update'],
    )
    assert.deepEqual(none, [])
    assert.deepEqual(secretsOf(sent?.['bot']), secretsOf((await managedBy(adam)).at(-1)))
  })

  it('refuses invalid owners and names in use', async () => {
    const { adam, olga, dora, bot } = at.people
    const { user_id } = await makeBot(adam)
    for (const [params, text] of [
      [{ bot_owner_id: at.unknownId }, 'Failed to change owner, no such user'],
      [{ bot_owner_id: dora.id }, 'Failed to change owner, user is deactivated'],
      [{ bot_owner_id: bot.id }, "Failed to change owner, bots can't own other bots"],
      [{ bot_owner_id: olga.id }, 'Failed to change owner, the user has more permissions than you'],
      [{ full_name: 'Bot Test' }, 'Name is already in use.'],
      [{ full_name: 'x' }, 'Name too short!'],
      [{ service_interface: 7 }, 'Invalid interface type'],
      [{ service_payload_url: 'x' }, 'Invalid service_payload_url: Value error, Not a URL'],
      [{ default_sending_stream: 'nowhere' }, "Invalid channel name 'nowhere'"],
    ] as const) {
      assertRefused(await adam.patch(`/bots/${user_id}`, params), text)
    }
  })

  it('lets only administrators name another owner, and answers others always the same', async () => {
    const { alice, bob, dora, bot } = at.people
    const { user_id } = await makeBot(alice)
    const answers = []
    for (const id of [bob.id, dora.id, bot.id, at.unknownId]) {
      const answer = await alice.patch(`/bots/${user_id}`, { bot_owner_id: id })
      assertRefused(answer, 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
      answers.push(answer.text)
    }
    assert.equal(new Set(answers).size, 1)
    const same = await alice.patch(`/bots/${user_id}`, { bot_owner_id: alice.id })
    assert.equal(same.status, 200, same.text)
  })

  it("follows the rules for changing users' roles", async () => {
    const { alice, adam, olga } = at.people
    const { user_id } = await makeBot(alice)
    const path = `/bots/${user_id}`
    const code = 'UNAUTHORIZED_PRINCIPAL'
    assertRefused(await alice.patch(path, { role: 300 }), 'Must be an organization administrator', {
      code,
    })
    assertRefused(await adam.patch(path, { role: 100 }), 'Must be an organization owner', { code })
    assertRefused(
      await adam.patch(path, { role: 150 }),
      'Invalid role: Value error, Not in the list of possible values',
    )
    assert.equal((await adam.patch(path, { role: 300 })).status, 200)
    assert.equal((await olga.get(`/users/${user_id}`)).body.user.role, 300)
  })

  it('changes the channels and the service, and sends events only to managers of the bot', async () => {
    const { alice, adam, bob } = at.people
    const { user_id } = await makeBot(alice, {
      bot_type: 3,
      payload_url: 'https://service.example',
    })
    const [feed, adminFeed, other] = [
      await alice.listen(onlyBots),
      await adam.listen(onlyBots),
      await bob.listen(onlyBots),
    ]

    const { body } = await alice.patch(`/bots/${user_id}`, {
      default_sending_stream: 'general',
      default_all_public_streams: true,
      service_payload_url: 'https://other.example/',
      service_interface: 2,
    })

    assert.deepEqual(
      [body.default_sending_stream, body.service_payload_url, body.service_interface],
      ['general', 'https://other.example/', 2],
    )
    const events = withoutIds(await feed.drain()) as { bot: { services?: { token: string }[] } }[]
    const token = events[2]?.bot.services?.[0]?.token
    const update = (bot: object) => ({ type: 'realm_bot', op: 'update', bot: { user_id, ...bot } })
    assert.deepEqual(events, [
      update({ default_sending_stream: 'general' }),
      update({ default_all_public_streams: true }),
      update({ services: [{ base_url: 'https://other.example/', interface: 2, token }] }),
    ])
    const services = [{ base_url: 'https://other.example/', interface: 2, token: '' }]
    assert.deepEqual(withoutIds(await adminFeed.drain()), [
      ...events.slice(0, 2),
      update({ services }),
    ])
    assert.deepEqual(await other.drain(), [])

    await alice.patch(`/bots/${user_id}`, { default_sending_stream: '' })
    assert.deepEqual(withoutIds(await feed.drain()), [update({ default_sending_stream: null })])

    await adam.patch(`/bots/${user_id}`, { service_payload_url: 'https://admin.example/' })
    const [replaced] = await feed.drain()
    assert.notEqual(replaced?.bot.services?.[0]?.token, token)
  })

  it('replaces the picture of the bot, and sends events to all users', async () => {
    const { alice, bob, carol } = at.people
    const { user_id } = await makeBot(alice)
    const userFeed = await carol.listen(feedOptions)
    const [first, second] = [pngOf(20, 20), pngOf(30, 30)].map((bytes) => ({ bytes }))
    const send = (by: Client, files: object[], fields = {}) =>
      sendFiles(by, `/bots/${user_id}`, files, { method: 'PATCH', fields })

    const { body } = await send(alice, [first as object], { full_name: 'Pictured' })

    assert.deepEqual([body.full_name, body.avatar_url.split('?')[1]], ['Pictured', 'version=2'])
    assert.deepEqual(
      (await userFeed.drain()).map(({ person }) => [person.full_name, person.avatar_url]),
      [
        ['Pictured', undefined],
        [undefined, body.avatar_url],
      ],
    )
    assert.equal((await readRoot(at.nobody, body.avatar_url)).status, 200)
    const both = [first, second] as object[]
    assertRefused(await send(bob, both), 'Insufficient permission')
    assertRefused(await send(alice, both), 'You may only upload one file at a time')
    assertRefused(
      await send(alice, [{ bytes: 'x' }], { full_name: 'Unpictured' }),
      'Could not decode image; did you upload an image file?',
      { code: 'BAD_IMAGE' },
    )
    assert.deepEqual(await userFeed.drain(), [])
  })

  it('changes nothing if one of the changes is refused', async () => {
    const { alice } = at.people
    const { user_id, full_name } = await makeBot(alice)
    const feed = await alice.listen(feedOptions)

    await alice.patch(`/bots/${user_id}`, { full_name: 'Never seen', bot_owner_id: at.unknownId })

    assert.deepEqual(await feed.drain(), [])
    assert.equal((await alice.get(`/users/${user_id}`)).body.user.full_name, full_name)
  })
})

everyHost('deactivate-bot', (at) => {
  refusals(at, (client, id) => client.delete(`/bots/${id}`))

  it('deactivates the bot, and sends events to all users', async () => {
    const { alice, adam, bob } = at.people
    const bot = await makeBot(alice)
    const { user_id } = bot
    const feeds = [await alice.listen(feedOptions), await adam.listen(feedOptions)]
    const other = await bob.listen(feedOptions)

    const answer = await alice.delete(`/bots/${user_id}`)

    assert.deepEqual(answer.body, bareSuccess)
    const userEvent = { type: 'realm_user', op: 'update', person: { user_id, is_active: false } }
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        userEvent,
        { type: 'realm_bot', op: 'update', bot: { user_id, is_active: false } },
      ])
    }
    assert.deepEqual(withoutIds(await other.drain()), [userEvent])
    assert.equal((await clientOfBot(at, bot).get('/users/me')).body.code, 'USER_DEACTIVATED')
    assert.deepEqual((await alice.delete(`/bots/${user_id}`)).body, bareSuccess)
    assert.deepEqual(await other.drain(), [])
  })
})

everyHost('regenerate-bot-api-key', (at) => {
  refusals(at, (client, id) => client.post(`/bots/${id}/api_key/regenerate`))

  it('replaces the key at once, and sends it to the owner of the bot only', async () => {
    const { alice, adam } = at.people
    const bot = await makeBot(alice)
    const { user_id } = bot
    const feed = await alice.listen(onlyBots)
    const other = await adam.listen(onlyBots)
    assert.equal((await clientOfBot(at, bot).get('/users/me')).status, 200)

    const { body: empty } = await adam.post(`/bots/${user_id}/api_key/regenerate`)

    assert.deepEqual(empty, { ...bareSuccess, api_key: '' })
    const [first] = await feed.drain()
    const replaced = { ...bot, api_key: String(first?.['bot'].api_key) }
    assert.equal((await clientOfBot(at, replaced).get('/users/me')).status, 200)
    const { body } = await alice.post(`/bots/${user_id}/api_key/regenerate`)
    const { api_key } = body as { api_key: string }
    assert.deepEqual(body, { ...bareSuccess, api_key })
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'realm_bot', op: 'update', bot: { user_id, api_key } },
    ])
    assert.deepEqual(await other.drain(), [])
    assert.equal((await clientOfBot(at, bot).get('/users/me')).body.code, 'INVALID_API_KEY')
    assert.equal((await clientOfBot(at, { ...bot, api_key }).get('/users/me')).status, 200)
  })
})

const operations = {
  'update-bot': (client: Client, id: number) => client.patch(`/bots/${id}`, { full_name: 'Other' }),
  'regenerate-bot-api-key': (client: Client, id: number) =>
    client.post(`/bots/${id}/api_key/regenerate`),
  'deactivate-bot': (client: Client, id: number) => client.delete(`/bots/${id}`),
}
for (const [operationId, call] of Object.entries(operations)) {
  const maker = {
    email: 'maker@bots.example',
    api_key: operationId.replaceAll('-', '').padEnd(32, 'x'),
  }
  everyHost(
    operationId,
    (at) => {
      it('is restricted to owners for a bot that can create users', async () => {
        const { olga, adam, alice, bot } = at.people
        const made = await clientOfBot(at, maker).post('/users', {
          email: 'made@new.example',
          full_name: 'Made',
          password: 'correct horse battery staple',
        })
        assert.equal(made.status, 200, made.text)

        for (const client of [adam, alice]) {
          const answer = await call(client, bot.id)
          assertRefused(answer, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
        }
        assert.equal((await call(olga, bot.id)).status, 200)
      })
    },
    {
      more: ({ people }) => ({
        bots: [
          {
            id: people.bot,
            ...maker,
            full_name: 'Maker',
            owner_id: people.alice,
            role: 200,
            can_create_users: true,
          },
        ],
      }),
    },
  )
}
