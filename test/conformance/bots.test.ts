import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { pngOf, readRoot, sendFiles } from '../support/uploads.js'

const hearing = { event_types: ['realm_bot', 'realm_user', 'user_group', 'subscription'] }
const onlyBots = { event_types: ['realm_bot'] }
const noDefaults = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
}

let count = 0
/** Names that no other case uses. */
function fresh(): { full_name: string; short_name: string } {
  count += 1
  return { full_name: `Helper No ${count}`, short_name: `helper${count}` }
}

async function makeBot(
  owner: Client,
  params: Readonly<Record<string, unknown>> = {},
): Promise<{ user_id: number; api_key: string; full_name: string; email: string }> {
  const names = fresh()
  const answer = await owner.post('/bots', { ...names, ...params })
  if (answer.status !== 200) throw new Error(`Creating a bot failed: ${answer.text}`)
  const { user_id, api_key } = answer.body as { user_id: number; api_key: string }
  const email = `${names.short_name}-bot@users.invalid`
  return { user_id, api_key, full_name: names.full_name, email }
}

const clientOf = (at: HostCase, bot: { email: string; api_key: string }): Client =>
  at.host.client(at.subdomain, { email: bot.email, apiKey: bot.api_key }, 0, 'made bot')

// eslint-disable-next-line typescript/no-explicit-any -- whatever the server says
async function managedBy(client: Client): Promise<any[]> {
  return (await client.post('/register', { fetch_event_types: ['realm_bot'] })).body.realm_bots
}

everyHost('create-bot', (at) => {
  it('creates a bot that works, and tells managers its key and others that it exists', async () => {
    const { alice, adam, bob, gus } = at.people
    const feeds = {
      alice: await alice.listen(hearing),
      adam: await adam.listen(hearing),
      bob: await bob.listen(hearing),
      gus: await gus.listen(hearing),
    }
    const names = fresh()

    const { body } = await alice.post('/bots', names)

    const { user_id, api_key, avatar_url } = body
    assert.deepEqual(body, { ...bareSuccess, user_id, api_key, avatar_url, ...noDefaults })
    assert.match(api_key, /^[A-Za-z0-9]{32}$/)
    const email = `${names.short_name}-bot@users.invalid`
    const managed = {
      user_id,
      email,
      full_name: names.full_name,
      bot_type: 1,
      is_active: true,
      owner_id: alice.id,
      api_key,
      avatar_url,
      ...noDefaults,
      services: [],
    }
    for (const [name, feed] of Object.entries(feeds)) {
      const events = withoutIds(await feed.drain())
      const isManager = name === 'alice' || name === 'adam'
      assert.deepEqual(
        events.map(({ type, op }) => `${type}/${op}`),
        [
          'realm_user/add',
          'user_group/add_members',
          'user_group/add_members',
          ...(isManager ? ['realm_bot/add'] : []),
        ],
        name,
      )
      const { person } = events[0] as { person: Record<string, unknown> }
      assert.deepEqual(
        [person['user_id'], person['is_bot'], person['bot_type'], person['bot_owner_id']],
        [user_id, true, 1, alice.id],
      )
      assert.equal(person['delivery_email'], email)
      if (isManager) assert.deepEqual(events[3], { type: 'realm_bot', op: 'add', bot: managed })
    }
    const bot = clientOf(at, { email, api_key })
    const own = (await bot.get('/users/me')).body
    assert.deepEqual([own.user_id, own.role, own.is_bot], [user_id, 400, true])
    assert.deepEqual((await bot.get('/users/me/subscriptions')).body.subscriptions, [])
    assert.deepEqual((await managedBy(alice)).at(-1), managed)
  })

  it('sets the channels that the bot uses when it names none', async () => {
    const { alice } = at.people

    const { body } = await alice.post('/bots', {
      ...fresh(),
      default_sending_stream: 'design',
      default_events_register_stream: 'GENERAL',
      default_all_public_streams: true,
    })

    assert.deepEqual(
      [
        body.default_sending_stream,
        body.default_events_register_stream,
        body.default_all_public_streams,
      ],
      ['design', 'general', true],
    )
    for (const name of ['secret', 'nowhere']) {
      assertRefused(
        await at.people.carol.post('/bots', { ...fresh(), default_sending_stream: name }),
        `Invalid channel name '${name}'`,
      )
    }
  })

  it('keeps the service of an outgoing webhook bot', async () => {
    const { alice } = at.people

    const bot = await makeBot(alice, {
      bot_type: 3,
      payload_url: '"https://service.example/hook"',
      interface_type: 2,
    })

    const { services } = (await managedBy(alice)).find(({ user_id }) => user_id === bot.user_id)
    assert.deepEqual(services, [
      { base_url: 'https://service.example/hook', interface: 2, token: services[0]?.token },
    ])
    assert.match(services[0]?.token, /^[A-Za-z0-9]{32}$/)
  })

  it('takes a picture of the bot, and tells everyone where it is', async () => {
    const { alice, gus } = at.people
    const heard = await gus.listen({ event_types: ['realm_user'] })
    const picture = { name: 'bot.png', type: 'image/png', bytes: pngOf(300, 200) }

    const { body } = await sendFiles(alice, '/bots', [picture], { fields: fresh() })

    assert.match(body.avatar_url, /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?version=1$/)
    const events = await heard.drain()
    assert.deepEqual(
      events.map(({ op, person }) => [op, person.user_id, person.avatar_url]),
      [['add', body.user_id, body.avatar_url]],
    )
    const { headers, bytes } = await readRoot(at.nobody, body.avatar_url)
    assert.deepEqual([headers['content-type'], bytes.readUInt32BE(16)], ['image/png', 100])
  })

  it('refuses more than one file, and what is no picture', async () => {
    const { alice } = at.people
    const fields = fresh()
    const send = (...files: (Buffer | string)[]) =>
      sendFiles(
        alice,
        '/bots',
        files.map((bytes) => ({ bytes })),
        { fields },
      )

    assertRefused(await send('x', 'y'), 'You may only upload one file at a time')
    assertRefused(await send('x'), 'Could not decode image; did you upload an image file?', {
      code: 'BAD_IMAGE',
    })
    assertRefused(
      await send(Buffer.alloc(5 * 1024 * 1024 + 1)),
      'Uploaded file is larger than the allowed limit of 5 MiB',
    )
    assert.equal((await alice.post('/bots', fields)).status, 200)
  })

  it('tells only the owner of a bot that uses a private channel', async () => {
    const { alice, adam } = at.people
    const [own, boss] = [await alice.listen(onlyBots), await adam.listen(onlyBots)]
    const operations = async () => [
      (await own.drain()).map(({ op }) => op),
      (await boss.drain()).map(({ op }) => op),
    ]

    const { user_id } = await makeBot(alice, { default_events_register_stream: 'secret' })
    assert.deepEqual(await operations(), [['add'], []])
    await alice.patch(`/bots/${user_id}`, fresh())
    await alice.post(`/bots/${user_id}/api_key/regenerate`)
    assert.deepEqual(await operations(), [['update', 'update'], []])

    await alice.patch(`/bots/${user_id}`, { default_events_register_stream: 'general' })
    assert.deepEqual(await operations(), [['update'], ['update']])
    await alice.patch(`/bots/${user_id}`, { default_sending_stream: 'secret' })
    await alice.delete(`/bots/${user_id}`)
    assert.deepEqual(await operations(), [['update', 'update'], []])
  })

  it('refuses what could be no bot', async () => {
    const { alice, bob } = at.people
    const taken = await makeBot(bob)
    for (const [params, text] of [
      [{ full_name: 'x' }, 'Name too short!'],
      [{ full_name: 'a*b' }, 'Invalid characters in name!'],
      [{ short_name: '  ' }, 'Bad name or username'],
      [{ short_name: 'a b' }, 'Bad name or username'],
      [{ short_name: 'a@b' }, 'Bad name or username'],
      [{ short_name: taken.email.split('-bot@')[0]?.toUpperCase() }, 'Email is already in use.'],
      [{ full_name: taken.full_name.toUpperCase() }, 'Name is already in use.'],
      [{ full_name: 'Bob Test' }, 'Name is already in use.'],
      [{ bot_type: 4 }, 'Embedded bots are not enabled.'],
      [{ bot_type: 9 }, 'Invalid bot type'],
      [{ bot_type: '"x"' }, 'bot_type is not an integer'],
      [{ interface_type: 3 }, 'Invalid interface type'],
      [{ bot_type: 3 }, 'Invalid payload_url: Value error, Not a URL'],
      [{ bot_type: 3, payload_url: 'nowhere' }, 'Invalid payload_url: Value error, Not a URL'],
    ] as const) {
      assertRefused(await alice.post('/bots', { ...fresh(), ...params }), text)
    }
  })

  it('names the parameters that are missing', async () => {
    const { alice } = at.people
    const { full_name, short_name } = fresh()
    for (const [params, var_name] of [
      [{ short_name }, 'full_name'],
      [{ full_name }, 'short_name'],
    ] as const) {
      assertRefused(await alice.post('/bots', params), `Missing '${var_name}' argument`, {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name,
      })
    }
  })

  it('takes a name that only a closed account has', async () => {
    await makeBot(at.people.alice, { full_name: 'Dora Test' })
  })

  it('gives one address to one of two bots at once', async () => {
    const { alice } = at.people
    const { short_name } = fresh()

    const answers = await Promise.all(
      [1, 2].map((n) => alice.post('/bots', { short_name, full_name: `Twin ${n}` })),
    )

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 400],
    )
  })

  it('asks the permission settings of the organization', async () => {
    const { olga, alice, gus, bot } = at.people
    assertRefused(await gus.post('/bots', fresh()), 'Not allowed for guest users')
    assertRefused(await bot.post('/bots', fresh()), 'This endpoint does not accept bot requests.')
    const administrators = await systemGroupId(olga, 'role:administrators')
    await olga.patch('/realm', { can_create_bots_group: { new: administrators } })

    assertRefused(await alice.post('/bots', fresh()), 'Insufficient permission')
    await makeBot(alice, { bot_type: 2 })
    await olga.patch('/realm', { can_create_write_only_bots_group: { new: administrators } })
    const hook = await alice.post('/bots', { ...fresh(), bot_type: 2 })
    assertRefused(hook, 'Insufficient permission')
    await makeBot(olga, { bot_type: 2 })
    await olga.patch('/realm', {
      can_create_bots_group: { new: await systemGroupId(olga, 'role:members') },
    })
  })
})

everyHost('send-message', (at) => {
  it('is all that an incoming webhook bot may call', async () => {
    const { alice, bob } = at.people
    const hook = clientOf(at, await makeBot(alice, { bot_type: 2 }))
    const feed = await bob.listen({ event_types: ['message'] })

    const id = await hook.say(at.channels.general, 'news', 'It rains')

    assert.equal((await feed.poll())[0]?.['message'].id, id)
    const closed = 'This API is not available to incoming webhook bots.'
    for (const answer of [
      await hook.get('/users/me'),
      await hook.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
      await hook.post('/register'),
      await hook.patch('/realm', { name: 'x' }),
    ]) {
      assertRefused(answer, closed, { status: 401, code: 'UNAUTHORIZED' })
    }
  })
})

everyHost('get-bots', (at) => {
  it("lists one's own active bots", async () => {
    const { bob, olga } = at.people
    const first = await makeBot(bob)
    const second = await makeBot(bob, { default_sending_stream: 'general' })
    const closed = await makeBot(bob)
    await bob.delete(`/bots/${closed.user_id}`)

    const { body } = await bob.get('/bots')

    assert.deepEqual(
      body.bots.map((bot: Record<string, unknown>) => ({ ...bot, avatar_url: '' })),
      [first, second].map(({ user_id, email, full_name, api_key }, index) => ({
        user_id,
        username: email,
        full_name,
        api_key,
        avatar_url: '',
        ...noDefaults,
        default_sending_stream: index === 1 ? 'general' : null,
      })),
    )
    assert.deepEqual((await olga.get('/bots')).body, { ...bareSuccess, bots: [] })
  })

  it('refuses guests and bots', async () => {
    const { gus, bot } = at.people
    assertRefused(await gus.get('/bots'), 'Not allowed for guest users')
    assertRefused(await bot.get('/bots'), 'This endpoint does not accept bot requests.')
  })
})

/** What every operation on one bot refuses. */
function refusals(at: HostCase, call: (client: Client, id: number) => Promise<Answer>): void {
  it('is for the owner of the bot and administrators', async () => {
    const { bob, mona, gus, bot } = at.people
    for (const client of [bob, mona]) {
      assertRefused(await call(client, bot.id), 'Insufficient permission')
    }
    assertRefused(await call(gus, bot.id), 'Not allowed for guest users')
    assertRefused(await call(bot, bot.id), 'This endpoint does not accept bot requests.')
  })

  it('knows no people and no bots of other organizations', async () => {
    const { olga, alice } = at.people
    const other = await at.host.organization()
    for (const id of [alice.id, at.unknownId, other.people.bot.id]) {
      assertRefused(await call(olga, id), 'No such bot')
    }
  })
}

everyHost('update-bot', (at) => {
  refusals(at, (client, id) => client.patch(`/bots/${id}`, { full_name: 'Not this' }))

  it('renames the bot and tells everyone', async () => {
    const { alice, adam, bob } = at.people
    const { user_id } = await makeBot(alice)
    const feeds = [await alice.listen(hearing), await adam.listen(hearing)]
    const other = await bob.listen(hearing)

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
    const told = { type: 'realm_user', op: 'update', person }
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        told,
        { type: 'realm_bot', op: 'update', bot: person },
      ])
    }
    assert.deepEqual(withoutIds(await other.drain()), [told])
  })

  it('gives the bot to somebody else', async () => {
    const { alice, bob, carol, adam, olga } = at.people
    const { user_id } = await makeBot(alice)
    const [from, to, boss, stranger] = [
      await alice.listen(hearing),
      await bob.listen(hearing),
      await adam.listen(hearing),
      await carol.listen(hearing),
    ]

    const { body } = await alice.patch(`/bots/${user_id}`, { bot_owner_id: bob.id })

    assert.equal(body.bot_owner, bob.email)
    const person = { user_id, bot_owner_id: bob.id }
    const told = { type: 'realm_user', op: 'update', person }
    assert.deepEqual(withoutIds(await from.drain()), [
      { type: 'realm_bot', op: 'delete', bot: { user_id } },
      told,
    ])
    const [added, ...more] = withoutIds(await to.drain())
    assert.deepEqual(
      [added?.['op'], (added?.['bot'] as { owner_id?: number } | undefined)?.owner_id],
      ['add', bob.id],
    )
    assert.deepEqual(more, [told])
    assert.deepEqual(withoutIds(await boss.drain()), [
      { type: 'realm_bot', op: 'update', bot: { user_id, owner_id: bob.id } },
      told,
    ])
    assert.deepEqual(withoutIds(await stranger.drain()), [told])
    assertRefused(await alice.patch(`/bots/${user_id}`), 'Insufficient permission')

    await olga.patch(`/bots/${user_id}`, { bot_owner_id: adam.id })
    assert.deepEqual(
      withoutIds(await to.drain()).map(({ type, op }) => `${type}/${op}`),
      ['realm_bot/delete', 'realm_user/update'],
    )
    assert.deepEqual(
      withoutIds(await boss.drain()).map(({ type, op }) => `${type}/${op}`),
      ['realm_bot/update', 'realm_user/update'],
    )
  })

  it('refuses owners who cannot be, and names that are taken', async () => {
    const { alice, dora, bot } = at.people
    const { user_id } = await makeBot(alice)
    for (const [params, text] of [
      [{ bot_owner_id: at.unknownId }, 'Failed to change owner, no such user'],
      [{ bot_owner_id: dora.id }, 'Failed to change owner, user is deactivated'],
      [{ bot_owner_id: bot.id }, "Failed to change owner, bots can't own other bots"],
      [{ full_name: 'Bot Test' }, 'Name is already in use.'],
      [{ full_name: 'x' }, 'Name too short!'],
      [{ service_interface: 7 }, 'Invalid interface type'],
      [{ service_payload_url: 'x' }, 'Invalid service_payload_url: Value error, Not a URL'],
      [{ default_sending_stream: 'nowhere' }, "Invalid channel name 'nowhere'"],
    ] as const) {
      assertRefused(await alice.patch(`/bots/${user_id}`, params), text)
    }
  })

  it('changes roles by the rules for people', async () => {
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

  it('changes the channels and the service, and tells only who manages the bot', async () => {
    const { alice, adam, bob } = at.people
    const { user_id } = await makeBot(alice, {
      bot_type: 3,
      payload_url: 'https://service.example',
    })
    const [feed, boss, other] = [
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
    assert.deepEqual(withoutIds(await boss.drain()), events)
    assert.deepEqual(await other.drain(), [])

    await alice.patch(`/bots/${user_id}`, { default_sending_stream: '' })
    assert.deepEqual(withoutIds(await feed.drain()), [update({ default_sending_stream: null })])
  })

  it('gives the bot another picture, and tells everyone', async () => {
    const { alice, bob, carol } = at.people
    const { user_id } = await makeBot(alice)
    const heard = await carol.listen(hearing)
    const [first, second] = [pngOf(20, 20), pngOf(30, 30)].map((bytes) => ({ bytes }))
    const send = (by: Client, files: object[], fields = {}) =>
      sendFiles(by, `/bots/${user_id}`, files, { method: 'PATCH', fields })

    const { body } = await send(alice, [first as object], { full_name: 'Pictured' })

    assert.deepEqual([body.full_name, body.avatar_url.split('?')[1]], ['Pictured', 'version=2'])
    assert.deepEqual(
      (await heard.drain()).map(({ person }) => [person.full_name, person.avatar_url]),
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
    assert.deepEqual(await heard.drain(), [])
  })

  it('undoes everything when one thing is refused', async () => {
    const { alice } = at.people
    const { user_id, full_name } = await makeBot(alice)
    const feed = await alice.listen(hearing)

    await alice.patch(`/bots/${user_id}`, { full_name: 'Never seen', bot_owner_id: at.unknownId })

    assert.deepEqual(await feed.drain(), [])
    assert.equal((await alice.get(`/users/${user_id}`)).body.user.full_name, full_name)
  })
})

everyHost('deactivate-bot', (at) => {
  refusals(at, (client, id) => client.delete(`/bots/${id}`))

  it('closes the bot and tells everyone', async () => {
    const { alice, adam, bob } = at.people
    const bot = await makeBot(alice)
    const { user_id } = bot
    const feeds = [await alice.listen(hearing), await adam.listen(hearing)]
    const other = await bob.listen(hearing)

    const answer = await alice.delete(`/bots/${user_id}`)

    assert.deepEqual(answer.body, bareSuccess)
    const told = { type: 'realm_user', op: 'update', person: { user_id, is_active: false } }
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        told,
        { type: 'realm_bot', op: 'update', bot: { user_id, is_active: false } },
      ])
    }
    assert.deepEqual(withoutIds(await other.drain()), [told])
    assert.equal((await clientOf(at, bot).get('/users/me')).body.code, 'USER_DEACTIVATED')
    assert.deepEqual((await alice.delete(`/bots/${user_id}`)).body, bareSuccess)
    assert.deepEqual(await other.drain(), [])
  })
})

everyHost('regenerate-bot-api-key', (at) => {
  refusals(at, (client, id) => client.post(`/bots/${id}/api_key/regenerate`))

  it('replaces the key at once and tells who manages the bot', async () => {
    const { alice, adam, bob } = at.people
    const bot = await makeBot(alice)
    const { user_id } = bot
    const feeds = [await alice.listen(onlyBots), await adam.listen(onlyBots)]
    const other = await bob.listen(onlyBots)
    assert.equal((await clientOf(at, bot).get('/users/me')).status, 200)

    const { body } = await adam.post(`/bots/${user_id}/api_key/regenerate`)

    const { api_key } = body as { api_key: string }
    assert.deepEqual(body, { ...bareSuccess, api_key })
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm_bot', op: 'update', bot: { user_id, api_key } },
      ])
    }
    assert.deepEqual(await other.drain(), [])
    assert.equal((await clientOf(at, bot).get('/users/me')).body.code, 'INVALID_API_KEY')
    assert.equal((await clientOf(at, { ...bot, api_key }).get('/users/me')).status, 200)
  })
})
