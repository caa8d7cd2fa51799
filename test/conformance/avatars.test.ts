import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { assertNothingAt, pngOf, readRoot, sendFiles } from '../support/uploads.js'

const path = '/users/me/avatar'
const picture = { name: 'me.png', type: 'image/png', bytes: pngOf(800, 600) }

everyHost('upload-avatar', (at) => {
  it('shows the picture in two sizes, and tells everyone', async () => {
    const { alice, gus } = at.people
    const heard = await gus.listen({ event_types: ['realm_user'] })

    const { body } = await sendFiles(alice, path, [picture])

    const medium = body.avatar_url.replace('.png', '-medium.png')
    assert.match(body.avatar_url, /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?version=2$/)
    assert.deepEqual(withoutIds(await heard.drain()), [
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

  it("tells a bot's managers first", async () => {
    const { alice, bot } = at.people
    const heard = await alice.listen({ event_types: ['realm_bot', 'realm_user'] })

    const { body } = await sendFiles(bot, path, [picture])

    const events = withoutIds(await heard.drain())
    assert.deepEqual(
      events.map(({ type }) => type),
      ['realm_bot', 'realm_user'],
    )
    assert.deepEqual(events[0]?.['bot'], { user_id: bot.id, avatar_url: body.avatar_url })
  })

  it('wants exactly one file, an image, of at most 5 MiB', async () => {
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
  it('brings the gravatar back, and tells everyone', async () => {
    const { alice, bob } = at.people
    const { body: before } = await sendFiles(alice, path, [picture])
    const heard = await bob.listen({ event_types: ['realm_user'] })

    const { body } = await alice.delete(path)

    const [event] = await heard.drain()
    assert.match(body.avatar_url, /^https:\/\/secure\.gravatar\.com\/avatar\/.*version=3$/)
    assert.deepEqual(
      [event?.['person'].avatar_source, event?.['person'].avatar_url],
      ['G', body.avatar_url],
    )
    assert.equal((await readRoot(at.nobody, before.avatar_url)).status, 200)
    const isOver = at.clock.next('set', 600)
    at.clock.fire(600)
    await isOver
    assert.equal((await readRoot(at.nobody, before.avatar_url)).status, 404)
  })
})

everyHost('read-avatar', (at) => {
  it('answers alike for what is unknown and what is of another organization', async () => {
    const other = await at.host.organization()
    const { body } = await sendFiles(other.people.alice, path, [picture])
    const own = await sendFiles(at.people.alice, path, [picture])

    for (const url of [
      body.avatar_url,
      own.body.avatar_url.replace('version=2', 'version=9'),
      own.body.avatar_url.replace('.png', '.gif'),
      '/user_avatars/1/x.png',
    ]) {
      await assertNothingAt(at.nobody, url)
    }
    // There it was, until that organization was closed.
    assert.equal((await readRoot(other.nobody, body.avatar_url)).status, 200)
    await at.host.chat.organizations.deactivate(other.subdomain)
    await assertNothingAt(other.nobody, body.avatar_url)
  })
})

everyHost(
  'upload-avatar',
  (at) => {
    it('is for administrators where the organization says so', async () => {
      const text = 'Avatar changes are disabled in this organization.'

      assertRefused(await sendFiles(at.people.alice, path, [picture]), text)
      assertRefused(await at.people.alice.delete(path), text)
      assert.equal((await sendFiles(at.people.adam, path, [picture])).status, 200)
    })
  },
  { settings: { avatar_changes_disabled: true } },
)
