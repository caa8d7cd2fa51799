import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { Database, timeLimited } from '../../packages/core/src/storage/index.js'
import { allOperations } from '../../packages/core/src/resources/index.js'
import type { Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { everyDatabase } from '../support/host.js'
import { pausedAt, statementsOf } from '../support/statements.js'

const range = { anchor: 'first_unread', num_before: 2500, num_after: 2500 }
const flag = { op: 'add', flag: 'starred' }

/** A call of each operation with a narrow that is evaluated by the database. */
const calls: Readonly<Record<string, (client: Client, narrow: object[], ids: number[]) => Call>> = {
  'get-messages': (client, narrow) => client.get('/messages', { ...range, narrow }),
  'check-messages-match-narrow': (client, narrow, msg_ids) =>
    client.get('/messages/matches_narrow', { msg_ids, narrow }),
  'update-message-flags-for-narrow': (client, narrow) =>
    client.post('/messages/flags/narrow', { ...range, ...flag, narrow }),
}
type Call = ReturnType<Client['get']>

const negated = (operand: string) => ({ operator: 'search', operand, negated: true })
const phrasesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `"zebra ${index}"`).join(' ')
const wordsOf = (count: number) => Array.from({ length: count }, (_, n) => `zebra${n}.`).join(' ')

everyDatabase('a narrow that costs as much as possible', 'express', (at) => {
  const ids: number[] = []

  before(async () => {
    const { alice } = at.people
    const text = 'all work and no play '.repeat(470)
    for (let count = 0; count < 5; count += 1) {
      ids.push(await alice.say(at.channels.design, 'long', `${count} ${text}`))
    }
  })

  it('is one of these operations', () => {
    const taking = allOperations.filter(({ params }) =>
      JSON.stringify(params ?? {}).includes('NarrowTerm'),
    )
    assert.deepEqual(taking.map(({ id }) => id).sort(), Object.keys(calls).sort())
  })

  for (const [id, call] of Object.entries(calls)) {
    it(`is evaluated outside of transactions and within a time limit by ${id}`, async () => {
      const { bob } = at.people
      const narrow = [negated(phrasesOf(25)), negated(phrasesOf(25))]
      const statements = await statementsOf(at.host, async () => {
        const answer = await call(bob, narrow, ids)
        assert.equal(answer.status, 200, answer.text)
      })

      let isInTransaction = false
      let searches = 0
      for (const { sql } of statements) {
        if (/^(BEGIN|START TRANSACTION)/i.test(sql)) isInTransaction = true
        if (/^(COMMIT|ROLLBACK)/i.test(sql)) isInTransaction = false
        if (!/INSTR\(|STRPOS\(/.test(sql)) continue
        searches += 1
        assert.ok(!isInTransaction, sql)
        assert.match(sql, /max_statement_time = 10 FOR .*MAX_EXECUTION_TIME\(10000\)/)
      }
      assert.ok(searches > 0)
    })

    it(`is refused by ${id} if it has more words, phrases or characters`, async () => {
      const { bob } = at.people
      const much = [
        [negated(wordsOf(100)), negated(wordsOf(101))],
        [{ operator: 'search', operand: wordsOf(100) }, negated(wordsOf(101))],
        [negated(phrasesOf(25)), negated(phrasesOf(26))],
        [{ operator: 'search', operand: phrasesOf(51) }],
        [negated('a'.padStart(5_001)), negated('a'.padStart(5_000))],
      ]
      for (const narrow of much) {
        const { status, body } = await call(bob, narrow, ids)
        assert.deepEqual([status, body.code], [400, 'BAD_NARROW'])
        assert.match(body.msg, /at most 200 words, 50 phrases and 10000 characters/)
      }
      const most = [negated(wordsOf(100)), { operator: 'search', operand: wordsOf(100) }]
      const answer = await call(bob, most, ids)
      assert.equal(answer.status, 200, answer.text)
    })
  }

  it('leaves out a message that is deleted while its flag is changed', async () => {
    const { alice, carol } = at.people
    const narrow = [{ operator: 'channel', operand: 'design' }]
    // Carol has received none of them.
    const newest = { ...range, anchor: 'newest' }
    const deleted = await alice.say(at.channels.design, 'long', 'to be deleted')
    await pausedAt(
      ({ sql }) => sql.includes('MAX_EXECUTION_TIME'),
      () => alice.delete(`/messages/${deleted}`),
      async () => {
        const answer = await carol.post('/messages/flags/narrow', { ...newest, ...flag, narrow })
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.body.processed_count, ids.length + 1)
        assert.equal(answer.body.updated_count, ids.length)
      },
      'returned',
    )
  })
})

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`a statement with a time limit (${column.title})`, () => {
    let created: TestDatabase
    let database: Database

    before(async () => {
      created = await column.create()
      database = new Database(created.config, '')
    })
    after(async () => {
      await database.close()
      await created.drop()
    })

    it('ends after that time, and its connection can be used again', async () => {
      const scope = database.read(1)
      const endless = `SELECT COUNT(*) AS total FROM (
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
        SELECT a.n FROM numbers a, numbers b, numbers c, numbers d WHERE a.n + b.n + c.n < d.n
      ) found`
      await assert.rejects(scope.raw(timeLimited(endless, 50), []), (error) => {
        assert.ok(scope.dialect.isInterrupted(error), String(error))
        return true
      })
      assert.deepEqual(await scope.raw(timeLimited('SELECT 1 AS one'), []), [{ one: 1 }])
    })
  })
}
