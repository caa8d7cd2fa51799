import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { maxVersionBytes } from '../../packages/core/src/resources/messages/editing/message-history.js'
import { maxFetchedBytes } from '../../packages/core/src/resources/messages/narrows/index.js'
import type { Answer } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost, type HostCase } from '../support/host.js'

const count = 40
/** Some bytes for what an answer has besides its list. */
const envelope = 10_000

interface StoredMessage {
  readonly id: number
  readonly organization_id: number
  readonly sender_id: number
}

/** What makes a message large in answers, each as far as the quotas and limits allow it. */
const parts: Readonly<
  Record<string, (knex: Knex, message: StoredMessage, userIds: readonly number[]) => Promise<void>>
> = {
  async 'many submessages'(knex, { id: message_id, organization_id, sender_id }) {
    await insert(knex, 'chat_submessages', 5_000, () => ({
      organization_id,
      message_id,
      sender_id,
      msg_type: 'widget',
      content: '"1234"',
    }))
  },
  async reactions(knex, { id: message_id, organization_id }, userIds) {
    await insert(knex, 'chat_reactions', 6_000, (index) => ({
      organization_id,
      message_id,
      user_id: userIds[index % userIds.length] ?? 0,
      reaction_type: 'unicode_emoji',
      emoji_code: `1f${(1000 + index).toString(16)}`,
      emoji_name: `name_of_an_emoji_${index}`,
    }))
  },
  async 'texts that JSON escapes'(knex, { id }) {
    const rendered_content = `<p>${'"\\\n'.repeat(150_000)}</p>`
    await knex('chat_messages').where({ id }).update({ rendered_content })
  },
  async 'a history'(knex, { id }) {
    const edit_history = JSON.stringify(
      Array.from({ length: 4 }, (_, index) => ({
        user_id: 1,
        timestamp: index,
        prev_content: 'x'.repeat(10_000),
        prev_rendered_content: 'x "y" '.repeat(8_000),
      })),
    )
    await knex('chat_messages').where({ id }).update({ edit_history })
  },
  async 'a history of moves'(knex, { id }) {
    const rendered_content = `<p>${'y '.repeat(30_000)}</p>`
    const edit_history = JSON.stringify(
      Array.from({ length: 3_000 }, (_, index) => ({
        user_id: 1,
        timestamp: index,
        prev_topic: `topic ${index}`,
        topic: `topic ${index + 1}`,
      })),
    )
    await knex('chat_messages').where({ id }).update({ rendered_content, edit_history })
  },
}

async function insert(
  knex: Knex,
  table: string,
  rows: number,
  row: (index: number) => object,
): Promise<void> {
  const all = Array.from({ length: rows }, (_, index) => row(index))
  await knex.batchInsert(table, all, 400)
}

const copiedColumns = {
  chat_submessages: ['organization_id', 'sender_id', 'msg_type', 'content'],
  chat_reactions: ['organization_id', 'user_id', 'reaction_type', 'emoji_code', 'emoji_name'],
}

/** Gives other messages what the first one has. */
async function copy(knex: Knex, [first = 0, ...others]: readonly number[]): Promise<void> {
  const texts = await knex('chat_messages')
    .where({ id: first })
    .first('rendered_content', 'edit_history')
  await knex('chat_messages').whereIn('id', others).update(texts)
  for (const [table, columns] of Object.entries(copiedColumns)) {
    const names = columns.join(', ')
    const copied = columns.map((column) => `copied.${column}`).join(', ')
    await knex.raw(
      `INSERT INTO ${table} (message_id, ${names})
       SELECT m.id, ${copied} FROM ${table} copied
       JOIN chat_messages m ON m.id IN (${others.join(', ')})
       WHERE copied.message_id = ?`,
      [first],
    )
  }
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`sizes of answers with messages (${database.name})`, () => {
    const host = new TestHost('express', database)
    let at: HostCase
    let knex: Knex
    before(async () => {
      await host.start()
      at = { ...(await host.organization()), host, clock: host.clock }
      knex = createKnex(host.databaseConfig)
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    for (const [part, add] of Object.entries(parts)) {
      it(`are limited: ${part}`, async () => {
        const { alice, bob, carol, olga, mona } = at.people
        const ids: number[] = []
        for (let index = 0; index < count; index += 1) {
          ids.push(await alice.say(at.channels.design, part, `message ${index}`))
        }
        const userIds = [alice.id, bob.id, carol.id, olga.id, mona.id]
        const first = await knex('chat_messages').where({ id: ids[0] }).first()
        await add(knex, first as StoredMessage, userIds)
        await copy(knex, ids)
        const narrow = [
          ['channel', 'design'],
          ['topic', part],
        ]
        const lists: Readonly<Record<string, Promise<Answer>>> = {
          newest: bob.get('/messages', { anchor: 'newest', num_before: count, narrow }),
          ids: bob.get('/messages', { message_ids: ids }),
          matching: bob.get('/messages/matches_narrow', { msg_ids: ids, narrow }),
          single: bob.get(`/messages/${ids[0]}`),
        }
        for (const [name, list] of Object.entries(lists)) {
          const { status, text, body } = await list
          assert.equal(status, 200, `${name}: ${text.slice(0, 200)}`)
          const bytes = Buffer.byteLength(text)
          assert.ok(bytes <= maxFetchedBytes + envelope, `${name}: ${bytes} bytes`)
          const { messages } = body as { messages?: { id: number }[] }
          if (name === 'newest' && messages !== undefined && messages.length < count) {
            assert.equal(body.found_oldest, false)
            assert.deepEqual(
              messages.map(({ id }) => id),
              ids.slice(-messages.length),
            )
          }
        }
        const history = await bob.get(`/messages/${ids[0]}/history`)
        assert.equal(history.status, 200)
        const bytes = Buffer.byteLength(history.text)
        assert.ok(bytes <= maxVersionBytes + envelope, `history: ${bytes} bytes`)
        const versions = history.body.message_history as object[]
        if (part.startsWith('a history')) assert.ok(versions.length > 3, `${versions.length}`)
      })
    }
  })
}
