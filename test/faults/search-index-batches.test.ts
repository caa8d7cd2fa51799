import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { wordsPerBatch } from '../../packages/core/src/resources/messages/search-index/prepared-words.js'
import type { Cast } from '../support/cast.js'
import type { Client } from '../support/client.js'
import { databaseColumnsOf, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { statementsOf, type Statement } from '../support/statements.js'
import { until } from '../support/waiting.js'

/** Steps between adjacent letters: texts with different ones have no pair of letters in common. */
const steps = [7919, 7907, 7901, 7883, 7879, 7877, 7873, 7867, 7853]

/** As long as a message can be; each letter and each pair of letters is a word. */
function longText(which: number): string {
  const step = steps[which] ?? assert.fail()
  const codes = Array.from({ length: 9_000 }, (_, index) => 0x4e00 + ((index * step) % 20_000))
  return String.fromCharCode(...codes)
}

/** The end of a long text, which is indexed last; of a short one all. */
const endOf = (text: string): string => (text.length < 10 ? text : text.slice(-3))

/** The number of words that each transaction of the index writes. */
function wordsPerTransaction(statements: readonly Statement[], isSqlite: boolean): number[] {
  const inserts = /^INSERT (?:OR REPLACE )?INTO [`"]?chat_message_words/i
  const counts: number[] = []
  let count = 0
  for (const { sql, bindings } of statements) {
    if (inserts.test(sql)) {
      // PostgreSQL gets the rows as JSON.
      const [first] = bindings
      count += isSqlite
        ? (JSON.parse(String(bindings[0])) as [number, string][])
            .map(([, words]) => words.split(' ').length)
            .reduce((sum, length) => sum + length, 0)
        : (Array.isArray(first) ? first : (JSON.parse(String(first)) as unknown[])).length
    }
    if (/^COMMIT/i.test(sql)) {
      if (count > 0) counts.push(count)
      count = 0
    }
  }
  return counts
}

reportSkippedColumns()
for (const column of databaseColumnsOf('batches of the search index')) {
  describe(`batches of the search index (${column.name})`, () => {
    const host = new TestHost('express', column)
    let cast: Cast
    let knex: Knex

    before(async () => {
      await host.start()
      cast = await host.organization()
      knex = createKnex(host.databaseConfig)
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    const isSqlite = column.name.startsWith('sqlite')
    const pending = async (): Promise<number> =>
      (await host.chat.health()).searchIndex?.pendingMessages ?? Number.NaN
    const indexAll = async (): Promise<void> => {
      host.clock.fire(1)
      await until('all to be indexed', async () => (await pending()) === 0)
    }
    const search = async (reader: Client, operand: string): Promise<number[]> => {
      const { body, text, status } = await reader.get('/messages', {
        anchor: 'newest',
        num_before: 100,
        narrow: [['search', operand]],
      })
      assert.equal(status, 200, text)
      return (body.messages as { id: number }[]).map(({ id }) => id)
    }
    /** Makes the messages from one on such as have never been indexed. */
    const forget = async (firstId: number): Promise<number> => {
      const { organization_id } = (await knex('chat_messages').where({ id: firstId }).first()) as {
        organization_id: number
      }
      const table = 'chat_message_words'
      await knex(table)
        .where(isSqlite ? 'rowid' : 'message_id', '>=', firstId)
        .delete()
      await knex('chat_search_backlogs').where({ organization_id }).delete()
      await knex('chat_search_backlogs').insert({
        organization_id,
        indexed_message_id: firstId - 1,
      })
      return organization_id
    }

    it('write a limited number of words per transaction', async () => {
      const { alice } = cast.people
      const texts = [0, 1, 2].map(longText)
      const ids: number[] = []
      for (const text of texts) ids.push(await alice.say(cast.channels.design, 'long', text))
      for (const word of ['one', 'two', 'three'])
        await alice.say(cast.channels.design, 'short', `${word} short`)
      await indexAll()
      await forget(ids[0] ?? 0)

      const statements = await statementsOf(host, async () => {
        host.clock.advance(30)
        await indexAll()
      })

      const counts = wordsPerTransaction(statements, isSqlite)
      // On SQLite, a message is one row, and cannot be divided.
      const largest = isSqlite ? 18_100 : wordsPerBatch
      assert.ok(counts.length >= (isSqlite ? 3 : 27), counts.join())
      assert.ok(Math.max(...counts) <= largest, counts.join())
      for (const [index, text] of texts.entries()) {
        assert.deepEqual(await search(alice, endOf(text)), [ids[index]])
      }
      assert.equal((await search(alice, 'short')).length, 3)
    })

    if (isSqlite) return

    /** A message with a part of its words, as a process leaves it that ends between two batches. */
    const halfIndexed = async (which: number) => {
      const { alice } = cast.people
      const text = longText(which)
      const id = await alice.say(cast.channels.design, 'half', text)
      await indexAll()
      const words = (): Knex.QueryBuilder =>
        knex('chat_message_words').where({ message_id: id }).orderBy('word').pluck('word')
      const all: string[] = await words()
      const organization_id = await forget(id)
      // In the order in which the index has them: letters and pairs as they occur.
      const [letter = '', next = ''] = text
      const first = [letter, next, letter + next]
      await knex('chat_message_words').insert(
        first.map((word) => ({ organization_id, message_id: id, word, place: 1 })),
      )
      return { id, text, all, words }
    }

    it('complete a message of which a process has indexed a part', async () => {
      const { alice } = cast.people
      const { id, text, all, words } = await halfIndexed(3)

      assert.equal(await pending(), 1)
      assert.deepEqual(await search(alice, endOf(text)), [id])
      assert.deepEqual(await search(alice, text.slice(0, 2)), [id])
      host.clock.advance(30)
      await indexAll()

      assert.deepEqual(await words(), all)
      assert.deepEqual(await search(alice, endOf(text)), [id])
    })

    it('begin anew with a message that was edited or moved in between', async () => {
      const { alice, olga } = cast.people
      const { id, text, words } = await halfIndexed(4)

      assert.equal((await alice.patch(`/messages/${id}`, { content: 'radish' })).status, 200)
      assert.deepEqual(await search(alice, text.slice(0, 2)), [])
      const topic = { topic: 'whole', send_notification_to_new_thread: false }
      assert.equal((await olga.patch(`/messages/${id}`, topic)).status, 200)
      host.clock.advance(30)
      await indexAll()

      assert.deepEqual(await words(), ['radish', 'whole'])
      assert.deepEqual(await search(alice, 'radish'), [id])
    })

    it('replace the words of a long message after an edit or a deletion, not in it', async () => {
      const { alice, olga } = cast.people
      const [before, after] = [longText(6), longText(7)]
      const id = await alice.say(cast.channels.design, 'replaced', before)
      await indexAll()
      const count = async (): Promise<number> => {
        const [row] = await knex('chat_message_words').where({ message_id: id }).count('* as count')
        return Number(row?.count)
      }
      assert.ok((await count()) > 17_000)
      const changes: [string, () => Promise<{ status: number }>, string, number][] = [
        ['edit', () => alice.patch(`/messages/${id}`, { content: after }), after, 17_000],
        ['shortening', () => alice.patch(`/messages/${id}`, { content: 'leek' }), 'leek', 2],
        ['extension', () => alice.patch(`/messages/${id}`, { content: before }), before, 17_000],
        ['deletion', () => olga.delete(`/messages/${id}`), 'none', 0],
      ]
      let former = before
      for (const [name, change, text, least] of changes) {
        const statements = await statementsOf(host, async () => {
          assert.equal((await change()).status, 200)
        })
        assert.deepEqual(
          statements.filter(({ sql }) => sql.includes('chat_message_words')),
          [],
          name,
        )
        const expected = name === 'deletion' ? [] : [id]
        const isFound = async (): Promise<void> => {
          assert.deepEqual(await search(alice, endOf(former)), [], name)
          assert.deepEqual(await search(alice, endOf(text)), expected, name)
        }
        await isFound()
        const batches = await statementsOf(host, indexAll)
        await isFound()
        const deletions = batches.filter(({ sql }) => /^DELETE FROM .chat_message_words/i.test(sql))
        assert.ok(deletions.length > 0, name)
        for (const { sql, bindings } of deletions) {
          assert.match(sql, /limit \?\)?$/i)
          assert.equal(bindings.at(-1), wordsPerBatch)
        }
        assert.ok(Math.max(0, ...wordsPerTransaction(batches, isSqlite)) <= wordsPerBatch, name)
        const words = await count()
        assert.ok(least === 0 ? words === 0 : words >= least, `${name}: ${words} words`)
        former = text
      }
    })

    it('begin anew with an edited message that is moved while its words are replaced', async () => {
      const { alice, olga } = cast.people
      const id = await alice.say(cast.channels.design, 'former', longText(8))
      await indexAll()
      assert.equal((await alice.patch(`/messages/${id}`, { content: 'turnip' })).status, 200)
      // As a process leaves it that ends between two batches.
      await knex('chat_message_words').where({ message_id: id }).delete()
      const { organization_id } = (await knex('chat_messages').where({ id }).first()) as {
        organization_id: number
      }
      await knex('chat_message_words').insert({
        organization_id,
        message_id: id,
        word: 'former',
        place: 0,
      })
      await knex('chat_messages_to_reindex').where({ message_id: id }).update({ is_cleared: true })

      const topic = { topic: 'latter', send_notification_to_new_thread: false }
      assert.equal((await olga.patch(`/messages/${id}`, topic)).status, 200)
      assert.deepEqual(await search(alice, 'turnip latter'), [id])
      assert.deepEqual(await search(alice, 'former turnip'), [])
      await indexAll()

      const words: string[] = await knex('chat_message_words')
        .where({ message_id: id })
        .orderBy('word')
        .pluck('word')
      assert.deepEqual(words, ['latter', 'turnip'])
    })

    it('forget a message that was deleted in between', async () => {
      const { olga } = cast.people
      const { id, words } = await halfIndexed(5)

      assert.equal((await olga.delete(`/messages/${id}`)).status, 200)
      await indexAll()

      assert.deepEqual(await words(), [])
    })
  })
}
