import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost, everySeparateHost } from '../support/host.js'
import { statementsOf } from '../support/statements.js'
import { link, listed, movingGif, pathIdOf, pngOf, readRoot, upload } from '../support/uploads.js'

async function renderedOf(client: Client, messageId: number): Promise<string> {
  const { body } = await client.get(`/messages/${messageId}`, { apply_markdown: true })
  return body.message.content
}

/** The ids of the messages in a topic that `client` finds with `has:what`. */
async function having(client: Client, what: string, topic: string): Promise<number[]> {
  const { body } = await client.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [
      { operator: 'has', operand: what },
      { operator: 'topic', operand: topic },
    ],
  })
  return (body.messages as { id: number }[]).map(({ id }) => id)
}

everySeparateHost('send-message', (at) => {
  it('sends an attachment event to the sender for each linked file, before the message event', async () => {
    const { alice, bob } = at.people
    const [one, two] = [await upload(alice), await upload(alice, { name: 'two.txt' })]
    const { upload_space_used } = (await alice.get('/attachments')).body
    const ownFeed = await alice.listen({ event_types: ['attachment', 'message'] })
    const otherFeed = await bob.listen({ event_types: ['attachment'] })

    const id = await alice.say(at.channels.general, 'files', `${link(one)} > ${link(two)}`)

    const events = await ownFeed.drain()
    const date_sent = at.clock.seconds * 1000
    assert.deepEqual(
      events.map(({ type, op, attachment, upload_space_used: used }) => [
        type,
        op,
        attachment?.path_id,
        attachment?.messages,
        used,
      ]),
      [
        ['attachment', 'update', pathIdOf(one), [{ id, date_sent }], upload_space_used],
        ['attachment', 'update', pathIdOf(two), [{ id, date_sent }], upload_space_used],
        ['message', undefined, undefined, undefined, undefined],
      ],
    )
    assert.deepEqual(await otherFeed.drain(), [])
  })

  it("sends the attachment event to the user who links another user's file, not to its owner", async () => {
    const { alice, bob } = at.people
    const url = await upload(alice)
    await alice.whisper([bob], link(url))
    const [ownerFeed, senderFeed] = [
      await alice.listen({ event_types: ['attachment'] }),
      await bob.listen({ event_types: ['attachment'] }),
    ]

    await bob.say(at.channels.general, 'files', link(url))

    assert.equal((await senderFeed.drain())[0]?.['attachment'].path_id, pathIdOf(url))
    assert.deepEqual(await ownerFeed.drain(), [])
    assert.equal((await listed(alice, url))?.messages.length, 2)
  })

  it('ignores links to files of another organization or that the sender cannot read', async () => {
    const { alice, bob } = at.people
    const other = await at.host.organization()
    const foreign = await upload(other.people.alice, { name: 'x.png', bytes: pngOf(2, 2) })
    const secret = await upload(alice, { name: 'leaf.png', bytes: pngOf(2, 2) })
    const feed = await bob.listen({ event_types: ['attachment'] })

    const id = await bob.say(at.channels.general, 'guess', `${link(secret)} ${link(foreign)}`)

    assert.deepEqual(await feed.drain(), [])
    assert.deepEqual((await listed(alice, secret))?.messages, [])
    assert.deepEqual(await having(bob, 'attachment', 'guess'), [])
    assert.doesNotMatch(await renderedOf(bob, id), /<img/)
  })

  it('finds files in quotes and in percent-encoded links, and lists each message once', async () => {
    const { alice } = at.people
    const url = await upload(alice, { name: 'grün.txt' })
    const content = `${link(url)} ${link(encodeURI(url))}\n\n> ${link(url)}`

    const id = await alice.say(at.channels.general, 'often', content)

    assert.deepEqual(
      (await listed(alice, url))?.messages.map((message) => message.id),
      [id],
    )
    assert.deepEqual(await having(alice, 'attachment', 'often'), [id])
  })

  it('renders still and animated images as thumbnails, and sounds as audio players', async () => {
    const { alice } = at.people
    const png = await upload(alice, { name: 'leaf.png', bytes: pngOf(640, 480) })
    const gif = await upload(alice, { name: 'spin.gif', bytes: movingGif })
    const song = await upload(alice, { name: 'song.mp3', type: 'audio/mpeg' })
    const text = await upload(alice, { name: 'x.png', bytes: 'no image' })

    const id = await alice.say(
      at.channels.general,
      'shown',
      `[leaf](${png}) [spin](${gif}) ![song](${song}) [text](${text})`,
    )

    const html = await renderedOf(alice, id)
    const images = html.match(/<img [^>]*>/g)
    assert.deepEqual(images, [
      `<img data-original-content-type="image/png" data-original-dimensions="640x480" src="/user_uploads/thumbnail/${pathIdOf(png)}/840x560.webp">`,
      `<img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="1x1" src="/user_uploads/thumbnail/${pathIdOf(gif)}/840x560-anim.webp">`,
    ])
    assert.ok(
      html.includes(`<audio controls preload="metadata" src="${song}" title="song"></audio>`),
    )
    const sources = [...html.matchAll(/src="([^"]+)"/g)].map(([, source]) => source as string)
    for (const source of sources) {
      assert.equal((await readRoot(at.people.bob, source)).status, 200, source)
    }
    assert.deepEqual(await having(alice, 'image', 'shown'), [id])
  })

  it('executes a bounded number of additional statements with files, and none without', async () => {
    const { alice } = at.people
    const urls = [await upload(alice), await upload(alice), await upload(alice)]
    const send = (content: string) =>
      statementsOf(at.host, () => alice.say(at.channels.general, 'count', content))
    const [one = '', two = '', three = ''] = urls
    await send('warm')

    const plain = await send('no file, /user_upload of none')
    const withOne = await send(link(one))
    // A change of files ends what the server remembers of the channel's permissions.
    await send('warm again')
    const withThree = await send(`${link(one)} ${link(two)} ${link(three)}`)

    assert.ok(!plain.some(({ sql }) => sql.includes('attachment')))
    assert.equal(withThree.length, withOne.length)
    assert.ok(withOne.length - plain.length <= 8, `${withOne.length} - ${plain.length}`)
  })
})

everyHost('get-messages', (at) => {
  it('finds messages that have a link, an image, an attachment or a reaction', async () => {
    const { alice, bob } = at.people
    const topic = 'having'
    const say = (content: string) => alice.say(at.channels.general, topic, content)
    const file = await upload(alice)
    const picture = await upload(alice, { name: 'leaf.png', bytes: pngOf(4, 4) })
    const ids = {
      plain: await say('nothing, but `https://soil.example` in code'),
      linked: await say('https://soil.example/page'),
      channel: await say('#**general**'),
      external: await say('https://soil.example/leaf.png'),
      file: await say(link(file)),
      picture: await say(link(picture)),
      reacted: await say('a leaf'),
      unreacted: await say('another leaf'),
    }
    await bob.post(`/messages/${ids.reacted}/reactions`, { emoji_name: 'tada' })
    await bob.post(`/messages/${ids.unreacted}/reactions`, { emoji_name: 'tada' })
    await bob.delete(`/messages/${ids.unreacted}/reactions`, { emoji_name: 'tada' })

    const { linked, channel, external, reacted } = ids
    assert.deepEqual(await having(bob, 'link', topic), [
      linked,
      channel,
      external,
      ids.file,
      ids.picture,
    ])
    assert.deepEqual(await having(bob, 'image', topic), [external, ids.picture])
    assert.deepEqual(await having(bob, 'attachment', topic), [ids.file, ids.picture])
    assert.deepEqual(await having(bob, 'reaction', topic), [reacted])
  })

  it('updates the results of has: after edits', async () => {
    const { alice } = at.people
    const url = await upload(alice, { name: 'leaf.png', bytes: pngOf(4, 4) })
    const id = await alice.say(at.channels.general, 'edited', 'plain')

    await alice.patch(`/messages/${id}`, { content: link(url) })
    const after = await Promise.all(
      ['link', 'image', 'attachment'].map((what) => having(alice, what, 'edited')),
    )
    await alice.patch(`/messages/${id}`, { content: 'plain again' })

    assert.deepEqual(after, [[id], [id], [id]])
    for (const what of ['link', 'image', 'attachment']) {
      assert.deepEqual(await having(alice, what, 'edited'), [], what)
    }
  })
})

everyHost('update-message', (at) => {
  it('sends events for files that an edit adds, and returns own files that are no longer linked', async () => {
    const { alice, bob } = at.people
    const [kept, dropped, shared, added] = [
      await upload(alice),
      await upload(alice, { name: 'dropped.txt' }),
      await upload(alice),
      await upload(alice),
    ] as [string, string, string, string]
    const id = await alice.say(at.channels.general, 'x', [kept, dropped, shared].map(link).join())
    await bob.say(at.channels.general, 'x', link(shared))
    const feed = await alice.listen({ event_types: ['attachment', 'update_message'] })

    const answer = await alice.patch(`/messages/${id}`, { content: [kept, added].map(link).join() })

    assert.deepEqual(
      answer.body.detached_uploads.map(({ id: _, ...upload }) => upload),
      [
        {
          name: 'dropped.txt',
          path_id: pathIdOf(dropped),
          size: 4,
          create_time: at.clock.seconds * 1000,
          messages: [],
        },
      ],
    )
    assert.deepEqual(
      (await feed.drain()).map(({ type, op, attachment }) => [type, op, attachment?.path_id]),
      [
        ['attachment', 'update', pathIdOf(added)],
        ['update_message', undefined, undefined],
      ],
    )
    assert.equal((await readRoot(bob, added)).status, 200)
    assert.equal((await readRoot(bob, dropped)).status, 403)
  })

  it("does not return another user's file", async () => {
    const { alice, bob } = at.people
    const url = await upload(alice)
    const first = await alice.whisper([bob], link(url))
    const id = await bob.say(at.channels.general, 'x', link(url))
    await alice.delete(`/messages/${first}`)

    const answer = await bob.patch(`/messages/${id}`, { content: 'nothing' })

    assert.deepEqual(answer.body.detached_uploads, [])
  })
})

everyHost('delete-message', (at) => {
  it("revokes the recipients' access to the file, and sends no attachment event", async () => {
    const { olga, bob } = at.people
    const url = await upload(olga)
    const id = await olga.say(at.channels.general, 'files', link(url))
    const feed = await olga.listen({ event_types: ['attachment'] })

    const answer = await olga.delete(`/messages/${id}`)

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await feed.drain(), [])
    assert.equal((await readRoot(bob, url)).status, 403)
    assert.deepEqual((await listed(olga, url))?.messages, [])
  })
})
