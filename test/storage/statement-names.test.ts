import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { StatementNames } from '../../packages/core/src/storage/dialects/statement-names.js'
import { postgresColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'

describe('StatementNames', () => {
  it('names statements that have come five times, each with its own name', () => {
    const names = new StatementNames()
    const seen = Array.from({ length: 6 }, () => [names.of('SELECT 1'), names.of('SELECT 2')])
    assert.deepEqual(seen.slice(0, 4).flat(), Array(8).fill(undefined))
    assert.deepEqual(seen[4], seen[5])
    assert.equal(new Set(seen[5]).size, 2)
    assert.ok(!seen.flat().slice(8).includes(undefined))
  })

  it('gives at most 300 names, and none to long statements', () => {
    const names = new StatementNames()
    const long = `SELECT ${'1'.repeat(8000)}`
    let named = 0
    for (let index = 0; index < 400; index += 1) {
      for (let uses = 0; uses < 4; uses += 1) names.of(`SELECT ${index}`)
      if (names.of(`SELECT ${index}`) !== undefined) named += 1
      assert.equal(names.of(long), undefined)
    }
    assert.equal(named, 300)
  })

  it('gives other names after a renewal', () => {
    const names = new StatementNames()
    const use = (): string | undefined => {
      for (let uses = 0; uses < 4; uses += 1) names.of('SELECT 1')
      return names.of('SELECT 1')
    }
    const first = use()
    names.renew()
    assert.notEqual(use(), first)
  })
})

reportSkippedColumns()
for (const column of postgresColumns()) {
  describe('statements with names on PostgreSQL', () => {
    const host = new TestHost('koa', column)
    let knex: Knex
    before(async () => {
      await host.start()
      knex = createKnex(host.databaseConfig)
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    it('are planned again after a change of their tables, in transactions and outside', async () => {
      const { people, channels } = await host.organization()
      const work = async (): Promise<number[]> => {
        const statuses: number[] = []
        const register = await people.alice.post('/register')
        statuses.push(register.status)
        const { queue_id } = register.body
        statuses.push((await people.alice.delete('/events', { queue_id })).status)
        const sent = { type: 'channel', to: channels.general, topic: 'names', content: 'text' }
        statuses.push((await people.bob.post('/messages', sent)).status)
        const found = { narrow: [], anchor: 'newest', num_before: 5, num_after: 0 }
        statuses.push((await people.alice.get('/messages', found)).status)
        return statuses
      }
      for (let round = 0; round < 8; round += 1)
        assert.deepEqual(await work(), [200, 200, 200, 200])

      const tables = await knex('pg_tables').where('schemaname', 'public').pluck('tablename')
      for (const table of tables) await knex.raw('ALTER TABLE ?? ADD COLUMN later integer', [table])
      const rounds: number[][] = []
      for (let round = 0; round < 8; round += 1) rounds.push(await work())

      // A snapshot cannot go on in its transaction: the client tries again.
      assert.ok(rounds.flat().every((status) => status === 200 || status === 503))
      assert.deepEqual(rounds.at(-1), [200, 200, 200, 200])
    })
  })
}
