import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'

import createKnex from 'knex'
import sharp from 'sharp'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { assertNothingAt, pngOf, readRoot, sendFiles, upkeep } from '../support/uploads.js'

const path = '/users/me/avatar'
const picture = { name: 'me.png', type: 'image/png', bytes: pngOf(800, 600) }

everyHost('upload-avatar', (at) => {
  it('serves the picture in two sizes, and sends an event to all users', async () => {
    const { alice, gus } = at.people
    const feed = await gus.listen({ event_types: ['realm_user'] })

    const { body } = await sendFiles(alice, path, [picture])

    const medium = body.avatar_url.replace('.png', '-medium.png')
    assert.match(body.avatar_url, /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?version=2$/)
    assert.deepEqual(withoutIds(await feed.drain()), [
      {
        type: 'realm_user',
        op: 'update',
        person: {
          user_id: alice.id,
          avatar_source: 'U',
          avatar_url: body.avatar_url,
          avatar_url_medium: medium,
          avatar_version: 2,
        },
      },
    ])
    const [small, large] = await Promise.all(
      [body.avatar_url, medium].map((url: string) => readRoot(at.nobody, url)),
    )
    assert.deepEqual(
      [small, large].map((answer) => [
        answer?.headers['content-type'],
        answer?.bytes.readUInt32BE(16),
        answer?.bytes.readUInt32BE(20),
      ]),
      [
        ['image/png', 100, 100],
        ['image/png', 500, 500],
      ],
    )
    assert.equal((await gus.get(`/users/${alice.id}`)).body.user.avatar_url, body.avatar_url)
  })

  it("sends an event to a bot's managers before the one to all users", async () => {
    const { alice, bot } = at.people
    const feed = await alice.listen({ event_types: ['realm_bot', 'realm_user'] })

    const { body } = await sendFiles(bot, path, [picture])

    const events = withoutIds(await feed.drain())
    assert.deepEqual(
      events.map(({ type }) => type),
      ['realm_bot', 'realm_user'],
    )
    assert.deepEqual(events[0]?.['bot'], { user_id: bot.id, avatar_url: body.avatar_url })
  })

  it('requires exactly one image file of at most 5 MiB', async () => {
    const { bob } = at.people
    const send = (...files: (Buffer | string)[]) =>
      sendFiles(
        bob,
        path,
        files.map((bytes) => ({ bytes })),
      )

    assertRefused(await send(), 'You must upload exactly one avatar.')
    assertRefused(await send(pngOf(1, 1), pngOf(1, 1)), 'You must upload exactly one avatar.')
    assertRefused(
      await send(Buffer.alloc(5 * 1024 * 1024 + 1)),
      'Uploaded file is larger than the allowed limit of 5 MiB',
    )
    for (const bytes of ['<svg/>', pngOf(4, 4).subarray(0, 40)]) {
      assertRefused(await send(bytes), 'Could not decode image; did you upload an image file?', {
        code: 'BAD_IMAGE',
      })
    }
    assert.equal((await bob.get('/users/me')).body.avatar_version, 1)
  })
})

everyHost('remove-avatar', (at) => {
  it('restores the generated picture, sends an event, and stops serving the old one', async () => {
    const { alice, bob } = at.people
    const { body: before } = await sendFiles(alice, path, [picture])
    const feed = await bob.listen({ event_types: ['realm_user'] })

    const { body } = await alice.delete(path)

    const [event] = await feed.drain()
    assert.equal(body.avatar_url, `/user_avatars/default/${alice.id}.png?version=3`)
    assert.deepEqual(
      [event?.['person'].avatar_source, event?.['person'].avatar_url],
      ['G', body.avatar_url],
    )
    await assertNothingAt(at.nobody, before.avatar_url)
    await assertNothingAt(at.nobody, before.avatar_url.replace('.png', '-medium.png'))
  })

  it('deletes the files from storage', async () => {
    const { bob } = at.people
    const sent = await sendFiles(bob, path, [picture])
    const [, folder, name] = /^\/user_avatars\/(\d+)\/(\w+)/.exec(sent.body.avatar_url) ?? []
    const knex = createKnex(at.host.databaseConfig)
    const kept = async (): Promise<number> => {
      const rows = await knex('chat_file_chunks').where(
        'file_key',
        'like',
        `${folder}/avatars/${name}%`,
      )
      return rows.length
    }
    try {
      assert.equal(await kept(), 2)

      await bob.delete(path)
      await upkeep(at)

      assert.equal(await kept(), 0)
    } finally {
      await knex.destroy()
    }
  })
})

everyHost('read-avatar', (at) => {
  it('serves each picture under a new URL that cannot be guessed', async () => {
    const { alice, bob } = at.people
    const urls: string[] = []
    for (const client of [alice, alice, bob]) {
      urls.push((await sendFiles(client, path, [picture])).body.avatar_url)
    }

    const names = urls.map((url) => /([0-9a-f]{40})\.png/.exec(url)?.[1])
    assert.equal(new Set(names).size, 3)
    await assertNothingAt(at.nobody, urls[0] as string)
    const shown = await readRoot(at.nobody, urls[1] as string)
    assert.equal(shown.status, 200)
    assert.equal(shown.headers['cache-control'], 'private, max-age=86400')
    const ofId = createHash('sha256').update(`avatar:${alice.id}`).digest('hex').slice(0, 40)
    const folder = /^\/user_avatars\/\d+/.exec(urls[1] as string)?.[0]
    for (const version of [0, 1, 2, 3]) {
      await assertNothingAt(at.nobody, `${folder}/${ofId}.png?version=${version}`)
    }
  })

  it('returns the same error for unknown pictures and those of another organization', async () => {
    const other = await at.host.organization()
    const { body } = await sendFiles(other.people.alice, path, [picture])
    const own = await sendFiles(at.people.alice, path, [picture])

    for (const url of [
      body.avatar_url,
      own.body.avatar_url.replace(/version=\d+/, 'version=99'),
      own.body.avatar_url.replace('.png', '.gif'),
      '/user_avatars/1/x.png',
    ]) {
      await assertNothingAt(at.nobody, url)
    }
    // The picture is served until its organization is deactivated.
    assert.equal((await readRoot(other.nobody, body.avatar_url)).status, 200)
    await at.host.chat.organizations.deactivate(other.subdomain)
    await assertNothingAt(other.nobody, body.avatar_url)
  })
})

everyHost(
  'upload-avatar',
  (at) => {
    it("is restricted to administrators by the organization's setting", async () => {
      const text = 'Avatar changes are disabled in this organization.'

      assertRefused(await sendFiles(at.people.alice, path, [picture]), text)
      assertRefused(await at.people.alice.delete(path), text)
      assert.equal((await sendFiles(at.people.adam, path, [picture])).status, 200)
    })
  },
  { settings: { avatar_changes_disabled: true } },
)

everyHost('read-default-avatar', (at) => {
  it('returns a generated picture in two sizes, derived from the id', async () => {
    const { alice, bob } = at.people
    const { avatar_url } = (await bob.get(`/users/${alice.id}`)).body.user
    const pictures = await Promise.all(
      [
        avatar_url,
        avatar_url,
        avatar_url.replace('.png', '-medium.png'),
        `/user_avatars/default/${bob.id}.png`,
        '/user_avatars/default/unknown.png?version=1',
        '/user_avatars/default/organization-1.png?version=1',
      ].map((url: string) => readRoot(at.nobody, url)),
    )

    assert.deepEqual(
      pictures.map(({ status, headers, bytes }) => [
        status,
        headers['content-type'],
        headers['x-content-type-options'],
        bytes.readUInt32BE(16),
        bytes.readUInt32BE(20),
      ]),
      [100, 100, 500, 100, 100, 100].map((side) => [200, 'image/png', 'nosniff', side, side]),
    )
    assert.match(String(pictures[0]?.headers['content-security-policy']), /sandbox/)
    assert.match(String(pictures[0]?.headers['cache-control']), /max-age=31536000/)
    const distinct = new Set(pictures.map(({ bytes }) => bytes.toString('latin1')))
    assert.equal(distinct.size, 5)
    for (const { bytes } of pictures) {
      // sharp validates all of the image data.
      const { width, channels } = await sharp(bytes)
        .raw()
        .toBuffer({ resolveWithObject: true })
        .then(({ info }) => info)
      assert.deepEqual([width, channels], [bytes.readUInt32BE(16), 3])
    }
  })

  it('returns an error for other names', async () => {
    for (const name of [
      '0.png',
      '-1.png',
      '1.gif',
      'x.png',
      '1-large.png',
      `${'9'.repeat(16)}.png`,
    ]) {
      await assertNothingAt(at.nobody, `/user_avatars/default/${name}`)
    }
  })
})
