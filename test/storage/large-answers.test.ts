import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { EventLoopYielder } from '../../packages/core/src/kernel/event-loop-yielder.js'
import { Database } from '../../packages/core/src/storage/database.js'
import {
  allDatabaseColumns,
  reportSkippedColumns,
  type TestDatabase,
} from '../support/databases.js'

/** A connection of `pg` or `mysql2`. */
interface Connection {
  readonly stream: Readable
  readonly connection?: { readonly stream: Readable }
}

const digits = '(SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)'
/** 4 to the power of 9 rows, some megabytes. */
const large = `SELECT d1.n, d2.n AS n2, 'a text that has some length' AS text FROM ${digits} d1
  ${Array.from({ length: 8 }, (_, index) => `CROSS JOIN ${digits} d${index + 2}`).join(' ')}`

/**
 * Reads a large answer, of which each part takes a slice of time.
 *
 * @returns the number of the tick of the event loop for each part.
 */
async function ticksOfParts(executor: Knex): Promise<number[]> {
  const client = executor.client as { acquireConnection(): Promise<Connection> }
  const connection = await client.acquireConnection()
  const stream = connection.connection?.stream ?? connection.stream
  const yielder = new EventLoopYielder()
  const ticks: number[] = []
  const onPart = ({ length }: Buffer): void => {
    if (length < 8192) return
    ticks.push(performance.nodeTiming.uvMetricsInfo.loopCount)
    while (!yielder.isDue);
  }
  stream.prependListener('data', onPart)
  await executor.raw(large)
  stream.off('data', onPart)
  return ticks
}

/** Without slices, there are up to 32 in a tick: as many as Node reads from a socket at a time. */
function assertSliced(ticks: readonly number[]): void {
  assert.ok(ticks.length > 10)
  // One that has just arrived, and one that has waited for its slice.
  const most = Math.max(...ticks.map((tick) => ticks.filter((other) => other === tick).length))
  assert.ok(most <= 2, String(ticks))
}

reportSkippedColumns()
for (const column of allDatabaseColumns().filter(({ name }) => name !== 'sqlite')) {
  describe(`a large answer (${column.title})`, () => {
    let created: TestDatabase
    before(async () => {
      created = await column.create()
    })
    after(() => created.drop())

    it('lets other work have a turn after each part', async (t) => {
      const database = new Database(created.config, 'chat_')
      t.after(() => database.close())

      const ticks = await database.reader.transaction((trx) => ticksOfParts(trx))

      assertSliced(ticks)
    })

    it("does so on a connection of the application's pool", async (t) => {
      const knex = createKnex(created.config)
      const database = new Database(knex, 'chat_')
      t.after(async () => {
        await database.close()
        await knex.destroy()
      })
      const open = await database.begin()

      const ticks = await ticksOfParts(open.executor)
      await open.rollback()

      assertSliced(ticks)
    })
  })
}
