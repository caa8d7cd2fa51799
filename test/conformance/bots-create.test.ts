import assert from 'node:assert/strict'
import { it } from 'node:test'

import { clientOfBot, freshBot, makeBot, managedBy } from '../support/bots.js'
import { withoutIds } from '../support/event-feed.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { pngOf, readRoot, sendFiles } from '../support/uploads.js'

const feedOptions = { event_types: ['realm_bot', 'realm_user', 'user_group', 'subscription'] }
const onlyBots = { event_types: ['realm_bot'] }
const noDefaults = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
}

everyHost('create-bot', (at) => {
  it('creates a bot, and sends its key to its owner and its existence to all users', async () => {
    const { alice, adam, bob, gus } = at.people
    const feeds = {
      alice: await alice.listen(feedOptions),
      adam: await adam.listen(feedOptions),
      bob: await bob.listen(feedOptions),
      gus: await gus.listen(feedOptions),
    }
    const names = freshBot()

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
      const bot = { ...managed, api_key: name === 'alice' ? api_key : '' }
      if (isManager) assert.deepEqual(events[3], { type: 'realm_bot', op: 'add', bot })
    }
    const bot = clientOfBot(at, { email, api_key })
    const own = (await bot.get('/users/me')).body
    assert.deepEqual([own.user_id, own.role, own.is_bot], [user_id, 400, true])
    assert.deepEqual((await bot.get('/users/me/subscriptions')).body.subscriptions, [])
    assert.deepEqual((await managedBy(alice)).at(-1), managed)
  })

  it('sets the channels that the bot uses by default', async () => {
    const { alice } = at.people

    const { body } = await alice.post('/bots', {
      ...freshBot(),
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
        await at.people.carol.post('/bots', { ...freshBot(), default_sending_stream: name }),
        `Invalid channel name '${name}'`,
      )
    }
  })

  it('stores the service of an outgoing webhook bot', async () => {
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

  it('accepts a picture of the bot, and sends its URL to all users', async () => {
    const { alice, gus } = at.people
    const userFeed = await gus.listen({ event_types: ['realm_user'] })
    const picture = { name: 'bot.png', type: 'image/png', bytes: pngOf(300, 200) }

    const { body } = await sendFiles(alice, '/bots', [picture], { fields: freshBot() })

    assert.match(body.avatar_url, /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?version=1$/)
    const events = await userFeed.drain()
    assert.deepEqual(
      events.map(({ op, person }) => [op, person.user_id, person.avatar_url]),
      [['add', body.user_id, body.avatar_url]],
    )
    const { headers, bytes } = await readRoot(at.nobody, body.avatar_url)
    assert.deepEqual([headers['content-type'], bytes.readUInt32BE(16)], ['image/png', 100])
  })

  it('refuses more than one file, and files that are not images', async () => {
    const { alice } = at.people
    const fields = freshBot()
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

  it('sends events only to the owner if the bot uses a private channel', async () => {
    const { alice, adam } = at.people
    const [own, adminFeed] = [await alice.listen(onlyBots), await adam.listen(onlyBots)]
    const operations = async () => [
      (await own.drain()).map(({ op }) => op),
      (await adminFeed.drain()).map(({ op }) => op),
    ]

    const { user_id } = await makeBot(alice, { default_events_register_stream: 'secret' })
    assert.deepEqual(await operations(), [['add'], []])
    await alice.patch(`/bots/${user_id}`, freshBot())
    await alice.post(`/bots/${user_id}/api_key/regenerate`)
    assert.deepEqual(await operations(), [['update', 'update'], []])

    await alice.patch(`/bots/${user_id}`, { default_events_register_stream: 'general' })
    assert.deepEqual(await operations(), [['update'], ['update']])
    await alice.patch(`/bots/${user_id}`, { default_sending_stream: 'secret' })
    await alice.delete(`/bots/${user_id}`)
    assert.deepEqual(await operations(), [['update', 'update'], []])
  })

  it('refuses invalid names, types and URLs', async () => {
    const { alice, bob } = at.people
    const taken = await makeBot(bob)
    for (const [params, text] of [
      [{ full_name: 'x' }, 'Name too short!'],
      [{ full_name: 'a*b' }, 'Invalid characters in name!'],
      [{ short_name: '  ' }, 'Bad name or username'],
      [{ short_name: 'a b' }, 'Bad name or username'],
      [{ short_name: 'a@b' }, 'Bad name or username'],
      [{ short_name: 'a\u202Eb' }, 'Bad name or username'],
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
      assertRefused(await alice.post('/bots', { ...freshBot(), ...params }), text)
    }
  })

  it('names missing parameters in the error', async () => {
    const { alice } = at.people
    const { full_name, short_name } = freshBot()
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

  it('accepts a name that only a deactivated account has', async () => {
    await makeBot(at.people.alice, { full_name: 'Dora Test' })
  })

  it('creates only one of two simultaneous bots with the same address', async () => {
    const { alice } = at.people
    const { short_name } = freshBot()

    const answers = await Promise.all(
      [1, 2].map((n) => alice.post('/bots', { short_name, full_name: `Twin ${n}` })),
    )

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 400],
    )
  })

  it('checks the permission settings of the organization', async () => {
    const { olga, alice, gus, bot } = at.people
    assertRefused(await gus.post('/bots', freshBot()), 'Not allowed for guest users')
    assertRefused(
      await bot.post('/bots', freshBot()),
      'This endpoint does not accept bot requests.',
    )
    const administrators = await systemGroupId(olga, 'role:administrators')
    await olga.patch('/realm', { can_create_bots_group: { new: administrators } })

    assertRefused(await alice.post('/bots', freshBot()), 'Insufficient permission')
    await makeBot(alice, { bot_type: 2 })
    await olga.patch('/realm', { can_create_write_only_bots_group: { new: administrators } })
    const hook = await alice.post('/bots', { ...freshBot(), bot_type: 2 })
    assertRefused(hook, 'Insufficient permission')
    await makeBot(olga, { bot_type: 2 })
    await olga.patch('/realm', {
      can_create_bots_group: { new: await systemGroupId(olga, 'role:members') },
    })
  })
})
