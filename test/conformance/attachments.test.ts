import assert from 'node:assert/strict'
import { it } from 'node:test'

import knexPackage from 'knex'

import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { link, listed, pathIdOf, pngOf, readRoot, upkeep, upload } from '../support/uploads.js'

async function renderedOf(client: Client, messageId: number): Promise<string> {
  const { body } = await client.get(`/messages/${messageId}`, { apply_markdown: true })
  return body.message.content
}

everyHost('get-attachments', (at) => {
  it("lists the user's own files and the messages that link to them", async () => {
    const { carol, bob } = at.people
    const url = await upload(carol, { name: 'mine.txt', bytes: '12345' })
    const unused = await upload(carol)
    await upload(bob)
    const first = await carol.say(at.channels.general, 'files', link(url))
    const second = await bob.say(at.channels.general, 'files', `again ${link(url)}`)

    const { body } = await carol.get('/attachments')

    const date_sent = at.clock.seconds * 1000
    assert.deepEqual(
      body.attachments.map(({ id: _, ...attachment }) => attachment),
      [
        {
          name: 'mine.txt',
          path_id: pathIdOf(url),
          size: 5,
          create_time: date_sent,
          messages: [
            { id: first, date_sent },
            { id: second, date_sent },
          ],
        },
        {
          name: 'notes.txt',
          path_id: pathIdOf(unused),
          size: 4,
          create_time: date_sent,
          messages: [],
        },
      ],
    )
    assert.equal(body.upload_space_used, 13)
  })
})

everyHost('remove-attachment', (at) => {
  it('deletes the file, sends an event only to its owner, and leaves the links in messages', async () => {
    const { alice, bob } = at.people
    const url = await upload(alice)
    const messageId = await bob.say(at.channels.general, 'files', 'before')
    const own = await alice.say(at.channels.general, 'files', link(url))
    const id = (await listed(alice, url))?.id
    const { upload_space_used } = (await alice.get('/attachments')).body
    const feeds = [
      await alice.listen({ event_types: ['attachment', 'update_message'] }),
      await bob.listen({ event_types: ['attachment', 'update_message'] }),
    ]

    const answer = await alice.delete(`/attachments/${id}`)

    assert.deepEqual(answer.body, bareSuccess)
    const [events, others] = await Promise.all(feeds.map((feed) => feed.drain()))
    assert.deepEqual(withoutIds(events ?? []), [
      {
        type: 'attachment',
        op: 'remove',
        attachment: { id },
        upload_space_used: upload_space_used - 4,
      },
    ])
    assert.deepEqual(others, [])
    assert.equal(await listed(alice, url), undefined)
    assert.equal((await readRoot(alice, url)).status, 404)
    assert.match(await renderedOf(alice, own), /href="\/user_uploads\//)
    assert.ok(messageId < own)
  })

  it("returns the same error for other users' files and for unknown ones", async () => {
    const { alice, olga } = at.people
    const url = await upload(alice)
    const other = await at.host.organization()
    const foreign = await upload(other.people.alice)
    const id = (await listed(alice, url))?.id
    const foreignId = (await listed(other.people.alice, foreign))?.id

    for (const [client, target] of [
      [olga, id],
      [alice, foreignId],
      [alice, at.unknownId],
    ] as const) {
      assertRefused(await client.delete(`/attachments/${target}`), 'Invalid attachment')
    }
    assert.ok(await listed(alice, url))
  })

  it('deletes the file from storage', async () => {
    const { alice } = at.people
    const url = await upload(alice, { name: 'leaf.png', bytes: pngOf(900, 9) })
    await alice.delete(`/attachments/${(await listed(alice, url))?.id}`)

    await upkeep(at)

    const [, , organization, part, token] = url.split('/')
    assert.deepEqual(await storedKeys(at, `${part}/${token}`), [], organization)
  })
})

everyHost('create-scheduled-message', (at) => {
  const inSeconds = (seconds: number): number => at.clock.seconds + seconds

  it('keeps linked files while the message is scheduled, and sends no attachment event', async () => {
    const { alice, bob } = at.people
    const url = await upload(alice)
    const feed = await alice.listen({ event_types: ['attachment'] })

    await alice.post('/scheduled_messages', {
      type: 'direct',
      to: [bob.id],
      content: link(url),
      scheduled_delivery_timestamp: inSeconds(fiveWeeks + 1000),
    })

    assert.deepEqual(await feed.drain(), [])
    assert.deepEqual((await listed(alice, url))?.messages, [])
    assert.equal((await readRoot(bob, url)).status, 403)
    at.clock.jump(fiveWeeks + 1)
    await upkeep(at)
    assert.equal((await readRoot(alice, url)).status, 200)
  })

  it('releases files that an edit no longer links', async () => {
    const { alice, bob } = at.people
    const [dropped, kept] = [await upload(alice), await upload(alice)]
    const { body } = await alice.post('/scheduled_messages', {
      type: 'direct',
      to: [bob.id],
      content: link(dropped),
      scheduled_delivery_timestamp: inSeconds(2 * fiveWeeks),
    })

    const answer = await alice.patch(`/scheduled_messages/${body.scheduled_message_id}`, {
      content: link(kept),
    })

    assert.equal(answer.status, 200, answer.text)
    at.clock.jump(fiveWeeks + 1)
    await upkeep(at)
    assert.equal((await readRoot(alice, dropped)).status, 404)
    assert.equal((await readRoot(alice, kept)).status, 200)
    await alice.delete(`/scheduled_messages/${body.scheduled_message_id}`)
    at.clock.jump(fiveWeeks + 1)
    await upkeep(at)
    assert.equal((await readRoot(alice, kept)).status, 404)
  })
})

everyHost('get-attachments', (at) => {
  it('drops files that no message has linked for five weeks, and only those', async () => {
    const { alice } = at.people
    const { upload_space_used } = (await alice.get('/attachments')).body
    const [unused, linked, unlinked] = [
      await upload(alice),
      await upload(alice),
      await upload(alice),
    ] as [string, string, string]
    await alice.say(at.channels.general, 'old', link(linked))
    const id = await alice.say(at.channels.general, 'old', link(unlinked))

    at.clock.jump(fiveWeeks - 10)
    await upkeep(at)
    const before = await readRoot(alice, unused)
    await at.people.olga.delete(`/messages/${id}`)
    at.clock.jump(10)
    await upkeep(at)

    assert.equal(before.status, 200)
    assert.deepEqual(
      await Promise.all(
        [unused, linked, unlinked].map(async (url) => (await readRoot(alice, url)).status),
      ),
      [404, 200, 200],
    )
    at.clock.jump(fiveWeeks)
    await upkeep(at)
    assert.equal((await readRoot(alice, unlinked)).status, 404)
    const { body } = await alice.get('/attachments')
    assert.equal(body.upload_space_used, upload_space_used + 4)
  })
})

const fiveWeeks = 5 * 7 * 24 * 3600

/** Keys of the stored files of an upload in the database. */
async function storedKeys(at: HostCase, folder: string): Promise<string[]> {
  const knex = knexPackage({ ...at.host.databaseConfig, useNullAsDefault: true })
  try {
    const rows = (await knex('chat_file_chunks')
      .where('file_key', 'like', `%${folder}%`)
      .distinct('file_key')) as { file_key: string }[]
    return rows.map((row) => row.file_key)
  } finally {
    await knex.destroy()
  }
}
