import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import type { Client } from '../support/client.js'
import type { Cast } from '../support/cast.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until, within } from '../support/waiting.js'
import { continueIds } from '../support/written-messages.js'
import { startChatProcess } from './chat-process.js'

/** More than one process indexes in a few milliseconds, and than a search reads without an index. */
const messageCount = 8_000
const firstId = 100_000

async function search(reader: Client, operand: string): Promise<number[]> {
  const { body, text, status } = await reader.get('/messages', {
    anchor: 'newest',
    num_before: 5000,
    narrow: [['search', operand]],
    client_gravatar: false,
  })
  assert.equal(status, 200, text)
  return (body.messages as { id: number }[]).map(({ id }) => id)
}

/** Stores messages as a version of the chat without this index has stored them. */
async function storeUnindexed(knex: Knex, cast: Cast): Promise<void> {
  const { alice } = cast.people
  const first = await alice.say(cast.channels.design, 'history', 'pattern')
  const pattern = (await knex('chat_messages').where({ id: first }).first()) as {
    organization_id: number
  }
  const { organization_id } = pattern
  const ids = Array.from({ length: messageCount }, (_, index) => firstId + index)
  const messages = ids.map((id) => {
    const content = `common number${id}`
    return { ...pattern, id, content, rendered_content: `<p>${content}</p>` }
  })
  const received = ids.map((message_id) => ({
    organization_id,
    user_id: alice.id,
    message_id,
    flags: 1,
  }))
  await knex.batchInsert('chat_messages', messages, 50)
  await continueIds(knex, firstId + messageCount - 1)
  await knex.batchInsert('chat_user_messages', received, 100)
  await knex('chat_search_backlogs').where({ organization_id }).delete()
  await knex('chat_search_backlogs').insert({ organization_id, indexed_message_id: first })
}

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`messages that are not indexed (${column.name})`, () => {
    const host = new TestHost('koa', column)
    let cast: Cast
    let knex: Knex

    before(async () => {
      await host.start()
      cast = await host.organization()
      knex = createKnex(host.databaseConfig)
      await storeUnindexed(knex, cast)
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    const pending = async (): Promise<number> =>
      (await host.chat.health()).searchIndex?.pendingMessages ?? Number.NaN

    it('are found if they are among the newest 2,000', async () => {
      const { alice } = cast.people
      const oldest = firstId + messageCount - 2_000

      const found = await search(alice, 'common')

      assert.equal(await pending(), messageCount)
      assert.deepEqual([found.length, found[0]], [2_000, oldest])
      assert.deepEqual(await search(alice, `number${oldest - 1}`), [])
    })

    it('are indexed in the background, by another process if one is killed', async () => {
      const { alice } = cast.people
      const { child } = await startChatProcess({ database: host.databaseConfig })
      await until('a part to be indexed', async () => (await pending()) < messageCount)
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await within('the end of the process', isGone)
      const rest = await pending()
      assert.ok(rest > 0 && rest < messageCount, `${rest} remain`)
      const sent = await alice.say(cast.channels.design, 'history', 'common newest')
      assert.equal((await search(alice, 'newest'))[0], sent)

      host.clock.fire(1)
      await until('all to be indexed', async () => (await pending()) === 0)

      const found = await search(alice, 'common')
      assert.deepEqual([found.length, found.at(-1)], [5_000, sent])
      for (const id of [firstId, firstId + 4_321]) {
        assert.deepEqual(await search(alice, `number${id} common`), [id])
      }
    })

    it('are indexed with what an edit, a move or a deletion has made of them', async () => {
      const { alice, olga } = cast.people
      const { design } = cast.channels
      const edited = await alice.say(design, 'unindexed', 'first version')
      const moved = await alice.say(design, 'unindexed', 'moved later')
      const deleted = await alice.say(design, 'unindexed', 'deleted later')
      await alice.patch(`/messages/${edited}`, { content: 'second version' })
      const topic = { topic: 'elsewhere', send_notification_to_new_thread: false }
      await olga.patch(`/messages/${moved}`, topic)
      await olga.delete(`/messages/${deleted}`)

      host.clock.fire(1)
      await until('all to be indexed', async () => (await pending()) === 0)

      assert.deepEqual(await search(alice, 'first version'), [])
      assert.deepEqual(await search(alice, 'second version'), [edited])
      assert.deepEqual(await search(alice, 'elsewhere later'), [moved])
      assert.deepEqual(await search(alice, 'deleted later'), [])
    })

    // On SQLite, one transaction writes at a time.
    if (column.name === 'sqlite') return

    it('are indexed by one process, for which edits wait, and sends do not', async () => {
      const { alice } = cast.people
      const id = await alice.say(cast.channels.design, 'concurrent', 'kohlrabi')
      const indexing = await knex.transaction()
      const row = knex('chat_search_backlogs').transacting(indexing)
      const { organization_id } = (await row.clone().forUpdate().first()) as {
        organization_id: number
      }

      host.clock.advance(30)
      const later = await alice.whisper([cast.people.bob], 'during a batch')
      const isEdited = alice.patch(`/messages/${id}`, { content: 'salsify' })
      assert.deepEqual(await search(alice, 'kohlrabi'), [id])
      assert.ok((await pending()) >= 2)
      // What the other process has read before the edit.
      await knex('chat_message_words')
        .transacting(indexing)
        .insert({ organization_id, message_id: id, word: 'kohlrabi', place: 1 })
      await row.clone().update({ indexed_message_id: id })
      await indexing.commit()

      assert.equal((await isEdited).status, 200)
      assert.deepEqual(await search(alice, 'kohlrabi'), [])
      assert.deepEqual(await search(alice, 'salsify'), [id])
      assert.equal((await search(alice, 'during batch'))[0], later)
    })
  })
}
