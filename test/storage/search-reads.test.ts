import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import type { Cast } from '../support/cast.js'
import { postgresColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { stepsOf } from '../support/postgres-plans.js'
import { statementsOf } from '../support/statements.js'
import { copyMessage } from '../support/written-messages.js'

const copies = 200

reportSkippedColumns()
// No other database tells of which table the rows are that a statement has read.
for (const column of postgresColumns()) {
  describe(`a search for several words (${column.name})`, () => {
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

    /** Indexes one word of the messages from this one on, of which nothing is indexed later. */
    async function index(word: string, fromId: number, toId: number): Promise<void> {
      await knex.raw(
        `INSERT INTO chat_message_words (organization_id, message_id, word, place)
         SELECT organization_id, id, ?, 1 FROM chat_messages WHERE id BETWEEN ? AND ?`,
        [word, fromId, toId],
      )
      await knex('chat_search_backlogs').update({ indexed_message_id: toId })
    }

    it('reads no messages that have only one of them', async () => {
      const { alice } = cast.people
      const both = await alice.say(cast.channels.design, 'plants', 'garden harbor')
      const first = await alice.say(cast.channels.design, 'plants', 'garden')
      const last = await copyMessage(knex, first, copies)
      await index('harbor', both, both)
      await index('garden', both, last)
      const narrow = [
        { operator: 'channel', operand: cast.channels.design },
        { operator: 'search', operand: 'garden harbor' },
      ]
      const range = { anchor: 'newest', num_before: 50, num_after: 0, narrow }

      const statements = await statementsOf(host, async () => {
        const { body } = await alice.get('/messages', range)
        assert.deepEqual(
          body.messages.map(({ id }) => id),
          [both],
        )
      })

      const [search = assert.fail()] = statements.filter(({ sql }) => sql.includes('found_word'))
      const steps = await stepsOf(knex, search)
      const read = steps
        .filter((step) => step['Relation Name'] === 'chat_messages')
        .reduce((sum, step) => sum + step['Actual Rows'] * step['Actual Loops'], 0)
      assert.ok(read > 0 && read < copies / 10, `It reads ${read} messages`)
    })
  })
}
