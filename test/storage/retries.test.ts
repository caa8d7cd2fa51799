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
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { createSmallDatabase } from '../support/small-schema.js'
import { until } from '../support/waiting.js'

const commit = /^\s*commit/i
const mysql = databaseColumns().find(({ name }) => name === 'mysql')

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

function failure(errno: number): Fault['error'] {
  return Object.assign(new Error('Another transaction is in the way'), { errno })
}

reportSkippedColumns()

describe('a transaction that conflicts with others (mysql)', { skip: mysql === undefined }, () => {
  const { column, faults } = faulty(
    mysql ?? { name: 'mysql', title: 'mysql', create: () => assert.fail() },
  )
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

  const fail = (errno: number, times: number, statement = commit): void => {
    faults.push({ when: 'before', statement, error: failure(errno), times })
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

  for (const errno of [1020, 1047, 1205, 1213, 3101]) {
    it(`is retried after error ${errno} until it succeeds, and writes once`, async () => {
      fail(errno, 6)

      await write(1, `after ${errno}`)

      assert.equal(await written(`after ${errno}`), 1)
      assert.equal(clock.pauses.length, 5, 'the first time immediately')
    })
  }

  it('leaves nothing open on the server if its COMMIT fails without ending it', async () => {
    const refused = { when: 'before', statement: commit, keepsConnection: true } as const
    faults.push({ ...refused, error: failure(1047), times: 3 })

    await write(1, 'not left open')

    await until('all transactions to end', async () => {
      const [open] = (await database.reader.raw(
        `SELECT COUNT(*) AS count FROM information_schema.innodb_trx t
         JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
         WHERE p.db = DATABASE() AND t.trx_rows_modified > 0`,
      )) as unknown as [{ count: number }[]]
      return open[0]?.count === 0
    })
    assert.equal(await written('not left open'), 1)
  })

  it('is retried after growing pauses of random length, for two seconds at most', async () => {
    fail(1213, Number.POSITIVE_INFINITY)
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
    fail(1406, 1)

    await assert.rejects(write(1, 'too long'))

    assert.deepEqual([clock.pauses, faults[0]?.times], [[], 0])
  })

  it('holds no transaction and blocks no other organization during its pauses', async () => {
    fail(1213, 3)
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
    fail(1213, 1, /^update .words/i)

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
})
