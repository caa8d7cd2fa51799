import assert from 'node:assert/strict'
import { it } from 'node:test'

import sharp from 'sharp'

import type { Client } from '../support/client.js'
import { systemGroupId } from '../support/groups.js'
import { assertRefused } from '../support/refusal.js'
import { everyHost, type HostCase } from '../support/host.js'

/** The smallest PNG that every decoder accepts: one transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

function upload(client: Client, name: string, ...files: readonly Buffer[]) {
  const boundary = 'parley-test-boundary'
  const parts = files.flatMap((file) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    file,
    Buffer.from('\r\n'),
  ])
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return client.send('POST', `/realm/emoji/${encodeURIComponent(name)}`, body, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(body.length),
  })
}

const isListed = async (at: HostCase, name: string): Promise<boolean> => {
  const { body } = await at.people.gus.get('/realm/emoji')
  return (Object.values(body.emoji) as { name: string; deactivated: boolean }[]).some(
    (emoji) => emoji.name === name && !emoji.deactivated,
  )
}

everyHost('upload-custom-emoji', (at) => {
  it('sends all custom emoji to all active users', async () => {
    const feed = await at.people.gus.listen({ event_types: ['realm_emoji'] })

    const answer = await upload(at.people.alice, 'Green Tick'.toLowerCase(), pixel)

    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    const [event] = await feed.drain()
    const [emoji] = Object.values(event?.['realm_emoji']) as Record<string, unknown>[]
    assert.deepEqual(
      [event?.['op'], emoji?.['name'], emoji?.['author_id']],
      ['update', 'green_tick', at.people.alice.id],
    )
  })

  it('makes the emoji available in messages and reactions, and serves its image without credentials', async () => {
    const { alice, bob } = at.people
    await upload(alice, 'rhubarb', pixel)
    const rendered = await bob.post('/messages/render', { content: ':rhubarb:' })
    const url = /src="([^"]+)"/.exec(rendered.body.rendered)?.[1] ?? ''
    const id = await alice.say(at.channels.general, 'emoji', 'Look')

    const image = await at.nobody.send('GET', url.replace('/api/v1', ''))
    const reaction = await bob.post(`/messages/${id}/reactions`, { emoji_name: 'rhubarb' })

    assert.equal(image.headers['content-type'], 'image/png')
    assert.equal(reaction.status, 200)
  })

  it('refuses invalid names', async () => {
    const refusals = {
      UPPER:
        'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
      'end-': 'Emoji names must end with either a letter or digit.',
      ' ': 'Emoji name is missing',
    }

    for (const [name, text] of Object.entries(refusals)) {
      const answer = await upload(at.people.alice, name, pixel)
      assert.deepEqual([answer.status, answer.body.msg], [400, text])
    }
  })

  it('refuses a name in use, and a standard name from a member', async () => {
    await upload(at.people.alice, 'twice', pixel)

    const again = await upload(at.people.bob, 'twice', pixel)
    const standard = await upload(at.people.bob, 'octopus', pixel)
    const byAdministrator = await upload(at.people.adam, 'octopus', pixel)

    assert.equal(again.body.msg, 'A custom emoji with this name already exists.')
    assert.equal(standard.body.msg, 'Only administrators can override default emoji.')
    assert.equal(byAdministrator.status, 200)
  })

  it('requires exactly one image file of at most 5 MiB', async () => {
    const none = await upload(at.people.alice, 'files')
    const two = await upload(at.people.alice, 'files', pixel, pixel)
    const text = await upload(at.people.alice, 'files', Buffer.from('<svg onload=alert(1)>'))
    const half = await upload(at.people.alice, 'files', pixel.subarray(0, 50))
    const large = await upload(at.people.alice, 'files', Buffer.alloc(5 * 1024 * 1024 + 1))

    assert.equal(none.body.msg, 'You must upload exactly one file.')
    assert.equal(two.body.msg, 'You must upload exactly one file.')
    for (const { body } of [text, half]) {
      assert.deepEqual([body.code, body.msg], ['BAD_IMAGE', 'Invalid image format'])
    }
    assert.equal(large.body.msg, 'Uploaded file is larger than the allowed limit of 5 MiB')
    assert.equal(await isListed(at, 'files'), false)
  })

  it("is restricted by the organization's setting", async () => {
    const { alice, mona, olga } = at.people
    const permit = async (group: string): Promise<void> => {
      const can_add_custom_emoji_group = { new: await systemGroupId(olga, group) }
      const answer = await olga.patch('/realm', { can_add_custom_emoji_group })
      assert.equal(answer.status, 200, answer.text)
    }

    await permit('role:moderators')
    assertRefused(await upload(alice, 'permitted', pixel), 'Insufficient permission')
    assert.equal(await isListed(at, 'permitted'), false)
    assert.equal((await upload(mona, 'permitted', pixel)).status, 200)
    await permit('role:members')
  })

  it('refuses guests and bots', async () => {
    const guest = await upload(at.people.gus, 'alices', pixel)
    const bot = await upload(at.people.bot, 'alices', pixel)

    assert.equal(guest.body.msg, 'Not allowed for guest users')
    assert.equal(bot.body.msg, 'This endpoint does not accept bot requests.')
  })
})

everyHost('deactivate-custom-emoji', (at) => {
  it('is restricted to the author and administrators, and keeps the emoji listed', async () => {
    await upload(at.people.alice, 'alices', pixel)
    await upload(at.people.alice, 'hers', pixel)

    const otherMember = await at.people.bob.delete('/realm/emoji/alices')
    const author = await at.people.alice.delete('/realm/emoji/alices')
    const administrator = await at.people.adam.delete('/realm/emoji/hers')

    assert.equal(otherMember.body.msg, 'Must be an organization administrator or emoji author')
    assert.deepEqual([author.status, administrator.status], [200, 200])
    const { body } = await at.people.bob.get('/realm/emoji')
    assert.deepEqual(
      Object.values(body.emoji as Record<string, { deactivated: boolean }>).map(
        (emoji) => emoji.deactivated,
      ),
      [true, true],
    )
  })

  it('returns 404 for a name that no active emoji has', async () => {
    const answer = await at.people.adam.delete('/realm/emoji/unknown')

    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, {
      result: 'error',
      msg: "Emoji 'unknown' does not exist",
      code: 'BAD_REQUEST',
    })
  })

  it('refuses reactions with a deactivated emoji, and with another name for its code', async () => {
    const { alice, bob } = at.people
    await upload(alice, 'bygone', pixel)
    const { body } = await bob.get('/realm/emoji')
    const emojiCode = Object.keys(body.emoji).find((id) => body.emoji[id]!.name === 'bygone')
    const id = await alice.say(at.channels.general, 'emoji', 'Look')
    const react = (emoji_name: string) =>
      bob.post(`/messages/${id}/reactions`, {
        emoji_name,
        emoji_code: emojiCode,
        reaction_type: 'realm_emoji',
      })

    const misnamed = await react('other')
    await alice.delete('/realm/emoji/bygone')
    const gone = await react('bygone')

    assertRefused(misnamed, 'Invalid custom emoji name.')
    assertRefused(gone, 'This custom emoji has been deactivated.')
  })
})

everyHost('get-custom-emoji', (at) => {
  it('lists custom emoji for all users, including guests', async () => {
    await upload(at.people.alice, 'listed', pixel)

    assert.equal(await isListed(at, 'listed'), true)
  })
})

everyHost('get-emoji-image', (at) => {
  it('has addresses that end with the extension of the type, or with none as in old messages', async () => {
    const { alice, bob } = at.people
    const square = sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })

    for (const [format, extension, mediaType] of [
      ['png', '.png', 'image/png'],
      ['gif', '.gif', 'image/gif'],
      ['jpeg', '.jpg', 'image/jpeg'],
      ['webp', '.webp', 'image/webp'],
    ] as const) {
      const name = `of_${format}`
      const feed = await bob.listen({ event_types: ['realm_emoji'] })
      await upload(alice, name, await square.clone().toFormat(format).toBuffer())

      const isNamed = (emoji: { name: string }) => emoji.name === name
      const [event] = await feed.drain()
      const lists = [
        event?.['realm_emoji'],
        (await bob.get('/realm/emoji')).body.emoji,
        (await bob.post('/register', { fetch_event_types: ['realm_emoji'] })).body.realm_emoji,
      ] as Record<string, { name: string; source_url: string; still_url: string | null }>[]
      const found = lists.map((list) => Object.values(list).find(isNamed))
      const url = found[0]?.source_url ?? ''
      const rendered = await bob.post('/messages/render', { content: `:${name}:` })
      assert.ok(url.endsWith(extension), url)
      assert.ok(rendered.body.rendered.includes(`src="${url}"`), rendered.text)
      for (const emoji of found) {
        assert.equal(emoji?.source_url, url)
        assert.equal(emoji?.still_url, format === 'gif' ? url : null)
      }
      const path = url.replace('/api/v1', '')
      const old = path.slice(0, -extension.length)
      for (const address of [path, old]) {
        const image = await at.nobody.send('GET', address)
        assert.deepEqual([image.status, image.headers['content-type']], [200, mediaType])
      }
      assert.equal((await at.nobody.send('GET', `${old}.svg`)).status, 404)
    }
  })

  it('returns 404 for an unknown address', async () => {
    const answer = await at.nobody.get('/realm/emoji/images/1/guess')

    assert.equal(answer.status, 404)
  })
})

everyHost('get-emoji-data', (at) => {
  it('returns the names of every emoji without credentials, at the URL from /register', async () => {
    const { body } = await at.people.alice.post('/register', { fetch_event_types: ['realm'] })

    const answer = await at.nobody.send(
      'GET',
      new URL(body.server_emoji_data_url).pathname.replace('/api/v1', ''),
    )

    assert.deepEqual(answer.body.code_to_names['1f419'], ['octopus'])
  })
})
