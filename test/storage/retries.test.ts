import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'

import { LocalEventBus } from '../../packages/core/src/events/bus/bus.js'
import { silentLogger } from '../../packages/core/src/kernel/logger.js'
import {
  type Database,
  UnitOfWork,
  type Transaction,
} from '../../packages/core/src/storage/index.js'
import { faulty, type Fault } from '../faults/faulty-client.js'
import {
  allDatabaseColumns,
  reportSkippedColumns,
  type DatabaseColumn,
} from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { createSmallDatabase } from '../support/small-schema.js'
import { until } from '../support/waiting.js'

const commit = /^\s*commit/i

/** What a driver reports of an error of its server. */
type Failure = { readonly errno: number } | { readonly code: string }

/** The errors of each server, and its transactions that have written and are open. */
const servers = {
  mysql: {
    conflicts: [1020, 1047, 1205, 1213, 3101].map((errno) => ({ errno })),
    deadlock: { errno: 1213 },
    refusedCommit: { errno: 1047 },
    tooLong: { errno: 1406 },
    openTransactions: `SELECT t.trx_id FROM information_schema.innodb_trx t
      JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE p.db = DATABASE() AND t.trx_rows_modified > 0`,
  },
  postgres: {
    conflicts: ['40001', '40P01', '55P03'].map((code) => ({ code })),
    deadlock: { code: '40P01' },
    refusedCommit: { code: '40001' },
    tooLong: { code: '22001' },
    openTransactions: `SELECT pid FROM pg_stat_activity
      WHERE datname = CURRENT_DATABASE() AND backend_xid IS NOT NULL`,
  },
} as const

/** A clock that advances to the end of each pause by itself. */
class PausingClock extends FakeClock {
  readonly pauses: number[] = []
  /** Called in each pause, which ends after it. */
  inPause: () => Promise<void> = async () => {}

  override setTimeout(callback: () => void, delayMilliseconds: number) {
    this.pauses.push(delayMilliseconds)
    const pause = async (): Promise<void> => {
      await this.inPause()
      this.advance(delayMilliseconds / 1000)
      callback()
    }
    void pause()
    return { cancel: () => {} }
  }
}

function errorOf(failure: Failure): Fault['error'] {
  return Object.assign(new Error('Another transaction is in the way'), failure)
}

reportSkippedColumns()

function defineCases(given: DatabaseColumn, server: (typeof servers)[keyof typeof servers]): void {
  const { column, faults } = faulty(given)
  let clock: PausingClock
  let database: Database
  let unitOfWork: UnitOfWork
  let drop: () => Promise<void>

  before(async () => {
    ;({ database, drop } = await createSmallDatabase(column))
  })
  after(() => drop())
  beforeEach(() => {
    faults.length = 0
    clock = new PausingClock()
    unitOfWork = new UnitOfWork(database, new LocalEventBus(), clock, silentLogger)
  })

  const fail = (failure: Failure, times: number, statement = commit): void => {
    faults.push({ when: 'before', statement, error: errorOf(failure), times })
  }
  const insert = async ({ executor, organizationId }: Transaction, word: string) => {
    await executor('words').insert({ organization_id: organizationId, word })
  }
  const write = (organizationId: number, word: string): Promise<void> =>
    unitOfWork.run(organizationId, (tx) => insert(tx, word))
  const written = async (word: string): Promise<number> =>
    ((await database.reader('words').where({ word })) as unknown[]).length

  const connectionsInUse = (): number =>
    (database.writer.client as { pool: { numUsed(): number } }).pool.numUsed()

  for (const conflict of server.conflicts) {
    const [code] = Object.values(conflict)
    it(`is retried after error ${code} until it succeeds, and writes once`, async () => {
      fail(conflict, 6)

      await write(1, `after ${code}`)

      assert.equal(await written(`after ${code}`), 1)
      assert.equal(clock.pauses.length, 5, 'the first time immediately')
    })
  }

  it('leaves nothing open on the server if its COMMIT fails without ending it', async () => {
    const refused = { when: 'before', statement: commit, keepsConnection: true } as const
    faults.push({ ...refused, error: errorOf(server.refusedCommit), times: 3 })

    await write(1, 'not left open')

    await until('all transactions to end', async () => {
      const open = await database.reader.raw(server.openTransactions)
      return database.dialect.rowsOf(open).length === 0
    })
    assert.equal(await written('not left open'), 1)
  })

  it('is retried after growing pauses of random length, for two seconds at most', async () => {
    fail(server.deadlock, Number.POSITIVE_INFINITY)
    const begun = clock.now()

    const error: unknown = await write(1, 'never').catch((reason: unknown) => reason)

    assert.ok(database.dialect.isUnavailable(error), 'returns 503')
    assert.equal(Math.round(clock.now() - begun), 2000)
    assert.equal(await written('never'), 0)
    for (const [index, pause] of clock.pauses.entries()) {
      const longest = Math.min(500, 10 * 2 ** index)
      assert.ok(pause >= 0 && pause <= longest, `pause ${index} of ${pause} ms`)
    }
    assert.equal(new Set(clock.pauses).size, clock.pauses.length, 'all are different')
  })

  it('is not retried after another error', async () => {
    fail(server.tooLong, 1)

    await assert.rejects(write(1, 'too long'))

    assert.deepEqual([clock.pauses, faults[0]?.times], [[], 0])
  })

  it('holds no transaction and blocks no other organization during its pauses', async () => {
    fail(server.deadlock, 3)
    const found: unknown[] = []
    clock.inPause = async () => {
      clock.inPause = async () => {}
      found.push(connectionsInUse())
      faults.length = 0
      await write(2, 'meanwhile')
      found.push(await written('waiting'), await written('meanwhile'))
    }

    await write(1, 'waiting')

    assert.deepEqual(found, [0, 0, 1])
    assert.equal(await written('waiting'), 1)
  })

  it('is retried with all writes that share it if a statement of one has failed', async () => {
    // The server rolls back the whole transaction, as the end of its connection does here.
    fail(server.deadlock, 1, /^update .words/i)

    await Promise.all([
      write(1, 'first'),
      unitOfWork.run(1, async (tx) => {
        await insert(tx, 'second')
        await tx.executor('words').where({ word: 'second' }).update({ word: 'changed' })
      }),
      write(1, 'third'),
    ])

    const counts = ['first', 'second', 'changed', 'third'].map(written)
    assert.deepEqual(await Promise.all(counts), [1, 0, 1, 1])
  })
}

for (const column of allDatabaseColumns()) {
  // Its transactions wait for each other, and never conflict.
  if (column.name === 'sqlite') continue
  const server = servers[column.name]
  describe(`a transaction that conflicts with others (${column.name})`, () => {
    defineCases(column, server)
  })
}
