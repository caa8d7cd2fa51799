import assert from 'node:assert/strict'
import { it } from 'node:test'

import { clientOfBot, makeBot, managedBy } from '../support/bots.js'
import type { CastOptions } from '../support/cast.js'
import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { pngOf, sendFiles } from '../support/uploads.js'

const onlyBots = { event_types: ['realm_bot'] }
const keyOf = (name: string): string => name.padEnd(32, 'x')

/** Bots of the member Alice with more permissions than she has, and one of the owner Olga. */
const strong = (prefix: string): CastOptions => ({
  more: ({ people, base }) => ({
    bots: (
      [
        ['plain', people.bot, { role: 400 }],
        ['owned', base + 53, { role: 400, owner_id: people.olga }],
        ['root', base + 50, { role: 100 }],
        ['maker', base + 51, { role: 400, can_create_users: true }],
        ['manager', base + 52, { role: 200 }],
      ] as const
    ).map(([name, id, rights]) => ({
      id,
      email: `${name}@bots.example`,
      full_name: `The ${name}`,
      owner_id: people.alice,
      api_key: keyOf(prefix + name),
      ...rights,
    })),
  }),
})

const idsAt = (at: HostCase) => {
  const base = at.people.olga.id + 50
  return { root: base, maker: base + 1, manager: base + 2, owned: base + 3 }
}

/** Every action on a bot that its managers can take. */
const actions: Readonly<Record<string, (by: Client, id: number) => ReturnType<Client['get']>>> = {
  rename: (by, id) => by.patch(`/bots/${id}`, { full_name: `Renamed ${id}` }),
  'change nothing': (by, id) => by.patch(`/bots/${id}`),
  demote: (by, id) => by.patch(`/bots/${id}`, { role: 400 }),
  own: (by, id) => by.patch(`/bots/${id}`, { bot_owner_id: by.id }),
  configure: (by, id) => by.patch(`/bots/${id}`, { default_sending_stream: 'general' }),
  picture: (by, id) =>
    sendFiles(by, `/bots/${id}`, [{ bytes: pngOf(20, 20) }], { method: 'PATCH' }),
  'replace the key': (by, id) => by.post(`/bots/${id}/api_key/regenerate`),
  'rename as a user': (by, id) => by.patch(`/users/${id}`, { full_name: `Renamed ${id}` }),
  'demote as a user': (by, id) => by.patch(`/users/${id}`, { role: 400 }),
  deactivate: (by, id) => by.delete(`/bots/${id}`),
}
const owner = ['Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const

everyHost(
  'update-bot',
  (at) => {
    it('refuses users with fewer permissions than the bot or its owner', async () => {
      const { olga, adam, alice } = at.people
      const { root, maker, manager, owned } = idsAt(at)
      for (const [action, call] of Object.entries(actions)) {
        for (const by of [adam, alice]) {
          for (const id of [root, maker]) assertRefused(await call(by, id), ...owner)
        }
        assertRefused(await call(adam, owned), ...owner)
        assertRefused(await call(alice, owned), 'Insufficient permission')
        assertRefused(await call(alice, manager), 'Insufficient permission')
        assert.equal((await call(adam, manager)).status, 200, action)
        await olga.post(`/users/${manager}/reactivate`)
        await olga.patch(`/bots/${manager}`, { role: 200, bot_owner_id: alice.id })
        await olga.patch(`/bots/${manager}`, { role: 200 })
      }
      for (const id of [maker, owned]) {
        for (const call of Object.values(actions)) {
          assert.equal((await call(olga, id)).status, 200)
        }
        assertRefused(await adam.post(`/users/${id}/reactivate`), ...owner)
        assert.equal((await olga.post(`/users/${id}/reactivate`)).status, 200)
      }
    })
  },
  strong('A'),
)

everyHost(
  'register-queue',
  (at) => {
    /** The bots that a client manages, and those of them whose keys it is shown. */
    const managedIds = async (client: Client): Promise<number[][]> => {
      const bots = await managedBy(client)
      const shown = bots.filter(({ api_key }) => api_key !== '')
      return [bots, shown].map((list) => list.map(({ user_id }) => user_id as number))
    }

    it('returns bots to users with at least their permissions, and keys to their owners', async () => {
      const { olga, adam, alice, bot } = at.people
      const { root, maker, manager, owned } = idsAt(at)

      assert.deepEqual(await managedIds(olga), [[bot.id, root, maker, manager, owned], [owned]])
      assert.deepEqual(await managedIds(adam), [[bot.id, manager], []])
      assert.deepEqual(await managedIds(alice), [[bot.id], [bot.id]])
      const own = (await alice.get('/bots')).body.bots as { user_id: number }[]
      assert.deepEqual(
        own.map(({ user_id }) => user_id),
        [bot.id],
      )
    })

    it("sends events about bots only to users with at least the bots' permissions", async () => {
      const { olga, adam, alice } = at.people
      const { root } = idsAt(at)
      const feeds = [await adam.listen(onlyBots), await alice.listen(onlyBots)]
      const olgaFeed = await olga.listen(onlyBots)
      const own = at.host.client(
        at.subdomain,
        { email: 'root@bots.example', apiKey: keyOf('Broot') },
        root,
        'root',
      )

      const answers = [
        await olga.patch(`/bots/${root}`, {
          full_name: 'Other',
          default_all_public_streams: true,
        }),
        await olga.post(`/bots/${root}/api_key/regenerate`),
        await own.get('/users/me'),
        await olga.delete(`/bots/${root}`),
        await olga.post(`/users/${root}/reactivate`),
      ]

      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 401, 200, 200],
      )
      for (const feed of feeds) assert.deepEqual(await feed.drain(), [])
      const updates = await olgaFeed.drain()
      assert.equal(updates.length, 4)
      assert.ok(updates.every(({ bot }) => !('api_key' in bot)))
    })
  },
  strong('B'),
)

everyHost('update-user', (at) => {
  const works = async (bot: { email: string; api_key: string }): Promise<boolean> =>
    (await clientOfBot(at, bot).get('/users/me')).status === 200

  it("replaces the key of a bot whose role is raised above its owner's", async () => {
    const { olga, adam, alice, mona } = at.people
    const bot = await makeBot(alice)
    const { user_id } = bot
    const [aliceFeed, adamFeed] = [await alice.listen(onlyBots), await adam.listen(onlyBots)]

    assert.equal((await adam.patch(`/users/${user_id}`, { role: 300 })).status, 200)

    assert.equal(await works(bot), false)
    assert.deepEqual(
      (await aliceFeed.drain()).map(({ op, bot: value }) => [op, value]),
      [['delete', { user_id }]],
    )
    assert.deepEqual(await adamFeed.drain(), [])
    assertRefused(
      await alice.post(`/bots/${user_id}/api_key/regenerate`),
      'Insufficient permission',
    )
    const taken = await alice.patch(`/bots/${user_id}`, { bot_owner_id: alice.id })
    assertRefused(taken, 'Insufficient permission')

    const moved = await olga.patch(`/bots/${user_id}`, { role: 200, bot_owner_id: mona.id })
    assertRefused(moved, 'Failed to change owner, the bot has more permissions than the user')
    const given = await olga.patch(`/bots/${user_id}`, { role: 200, bot_owner_id: adam.id })
    assert.equal(given.status, 200, given.text)

    const back = await alice.listen(onlyBots)
    await olga.patch(`/bots/${user_id}`, { role: 400, bot_owner_id: alice.id })
    const [added] = await back.drain()
    assert.deepEqual([added?.['op'], added?.['bot'].user_id], ['add', user_id])
    assert.ok(await works({ ...bot, api_key: String(added?.['bot'].api_key) }))
  })

  it('replaces the secrets of bots that have more permissions than their demoted owner', async () => {
    const { olga, mona } = at.people
    await olga.patch(`/users/${mona.id}`, { role: 200 })
    const [foreign, weak, strongOne] = [
      await makeBot(olga),
      await makeBot(mona),
      await makeBot(mona, { bot_type: 3, payload_url: 'https://hook.example/' }),
    ]
    await olga.patch(`/bots/${strongOne.user_id}`, { role: 200 })
    const before = await managedBy(mona)
    const known = before.find(({ user_id }) => user_id === strongOne.user_id)
    const bot = { ...strongOne, api_key: String(known?.['api_key']) }
    assert.ok(await works(bot))
    const [monaFeed, ownerFeed] = [await mona.listen(onlyBots), await olga.listen(onlyBots)]

    await olga.patch(`/users/${mona.id}`, { role: 300 })

    assert.equal(await works(bot), false)
    assert.ok((await works(weak)) && (await works(foreign)))
    const lost = before.filter(({ user_id }) => user_id !== weak.user_id)
    assert.deepEqual(
      (await monaFeed.drain()).map(({ op, bot: { user_id } }) => [op, user_id]),
      lost.map(({ user_id }) => ['delete', user_id]),
    )
    assert.deepEqual(await ownerFeed.drain(), [])
    await olga.patch(`/users/${mona.id}`, { role: 200 })
    const again = (await managedBy(mona)).find(({ user_id }) => user_id === strongOne.user_id)
    assert.notEqual(again?.['services'][0].token, known?.['services'][0].token)
  })

  it("shows the secrets of a bot to nobody but the bot's owner", async () => {
    const { olga, adam, mona } = at.people
    const feeds = [await adam.listen(), await olga.listen()]
    const ownFeed = await mona.listen(onlyBots)
    const answers: string[] = []
    const made = await makeBot(mona, { bot_type: 3, payload_url: 'https://hook.example/' })
    const path = `/bots/${made.user_id}`
    const url = { service_payload_url: 'https://other.example/' }

    await mona.patch(path, url)
    await mona.post(`${path}/api_key/regenerate`)
    for (const by of [adam, olga]) {
      answers.push((await by.patch(path, url)).text)
      answers.push((await by.post(`${path}/api_key/regenerate`)).text)
      answers.push((await by.patch(path, { role: by === adam ? 300 : 400 })).text)
      answers.push((await by.delete(path)).text)
      answers.push((await by.post(`/users/${made.user_id}/reactivate`)).text)
      answers.push((await by.post('/register')).text, (await by.get('/bots')).text)
    }

    const shown = new Set([made.api_key])
    for (const { bot } of await ownFeed.drain()) {
      for (const text of [bot.api_key, bot.services?.[0].token]) if (text) shown.add(text)
    }
    assert.ok(shown.size > 8, [...shown].join())
    for (const feed of feeds) answers.push(JSON.stringify(await feed.drain()))
    for (const secret of shown) {
      for (const text of answers) assert.ok(!text.includes(secret), text)
    }
  })

  it("sends events to administrators when the role of a bot's owner passes theirs", async () => {
    const { olga, adam, mona } = at.people
    const { user_id } = await makeBot(mona)
    const feed = await adam.listen(onlyBots)

    await olga.patch(`/users/${mona.id}`, { role: 100 })
    assertRefused(await adam.post(`/bots/${user_id}/api_key/regenerate`), ...owner)
    await olga.patch(`/users/${mona.id}`, { role: 300 })

    const changes = (await feed.drain()).filter(({ bot }) => bot.user_id === user_id)
    assert.deepEqual(
      changes.map(({ op, bot }) => [op, bot.api_key]),
      [
        ['delete', undefined],
        ['add', ''],
      ],
    )
  })
})
