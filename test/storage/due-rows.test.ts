import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'

import { LocalEventBus } from '../../packages/core/src/events/bus.js'
import {
  Database,
  DueRows,
  Migrator,
  UnitOfWork,
  type DueReference,
  type Transaction,
} from '../../packages/core/src/storage/index.js'
import type { ReminderRow } from '../../packages/core/src/resources/personal/reminders/reminder-repository.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const leaseSeconds = 30

function unexpected(error: unknown): never {
  throw error
}

async function remove(tx: Transaction, row: { readonly id: number }): Promise<void> {
  await tx.query('reminders').where({ id: row.id }).delete()
}

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`due rows (${column.title})`, () => {
    const clock = new FakeClock()
    let database: Database
    let unitOfWork: UnitOfWork
    let drop: () => Promise<void>
    /** As two processes have them. */
    let here: DueRows<ReminderRow>
    let there: DueRows<ReminderRow>
    let due: DueReference

    before(async () => {
      const created = await column.create()
      drop = created.drop
      database = new Database(created.config, '')
      await new Migrator(database).migrate()
      await database.writer('organizations').insert({
        id: 1,
        subdomain: '',
        name: 'Due',
        created_at_seconds: clock.seconds,
        epoch: 'due',
        settings: '{}',
        user_defaults: '{}',
      })
      unitOfWork = new UnitOfWork(database, new LocalEventBus(), clock, silent)
      here = new DueRows('reminders', database, unitOfWork, clock)
      there = new DueRows('reminders', database, unitOfWork, clock)
    })
    after(async () => {
      await database.close()
      await drop()
    })
    beforeEach(async () => {
      await database.writer('reminders').delete()
      const id = await unitOfWork.run(1, (tx) =>
        tx.insert('reminders', {
          user_id: 1,
          message_id: 1,
          note: '',
          content: '',
          rendered_content: '',
          deliver_at_seconds: clock.seconds,
          due_at_seconds: clock.seconds,
        }),
      )
      due = { id, organization_id: 1 }
    })

    async function listDue(): Promise<number[]> {
      return (await there.listDue(10)).map(({ id }) => id)
    }

    it('are written once, even if a callback after the commit throws', async () => {
      const calls: string[] = []

      const runs = await unitOfWork.run(1, async (tx) => {
        tx.afterCommit(() => {
          throw new Error('simulated by the test')
        })
        tx.afterCommit(() => calls.push('second'))
        await tx.query('reminders').update({ note: 'once' })
        return calls.push('work')
      })

      assert.equal(runs, 1)
      assert.deepEqual(calls, ['work', 'second'])
    })

    it('are listed from their due second on, and not without a due time', async () => {
      clock.jump(-1)
      assert.deepEqual(await listDue(), [])
      clock.jump(1)
      assert.deepEqual(await listDue(), [due.id])
      await database.writer('reminders').update({ due_at_seconds: null })
      assert.deepEqual(await listDue(), [])
    })

    it('are delivered once, also with concurrent deliveries', async () => {
      let count = 0
      const deliver = (rows: DueRows<ReminderRow>) =>
        rows.processInTransaction(
          due,
          async (tx, row) => {
            count += 1
            await remove(tx, row)
          },
          unexpected,
        )

      await Promise.all([deliver(here), deliver(there), deliver(here)])

      assert.equal(count, 1)
      assert.deepEqual(await listDue(), [])
    })

    it('keep only the changes of the failure handler if a delivery throws', async () => {
      const failure = new Error('no')
      const failures: unknown[] = []

      await here.processInTransaction(
        due,
        async (tx) => {
          await tx.query('reminders').update({ note: 'half', due_at_seconds: null })
          throw failure
        },
        (error) => {
          failures.push(error)
          return async (tx) => {
            await tx.query('reminders').update({ content: 'failed', due_at_seconds: null })
          }
        },
      )

      const row = await database.reader('reminders').first<ReminderRow>()
      assert.deepEqual([row.note, row.content, row.due_at_seconds], ['', 'failed', null])
      assert.deepEqual(failures, [failure])
    })

    it('remain due when the database is unavailable, which does not count as a failure', async () => {
      const away = Object.assign(new Error('away'), { code: 'SQLITE_IOERR' })
      if (column.name === 'mysql') away.code = 'PROTOCOL_CONNECTION_LOST'

      const delivery = here.processInTransaction(
        due,
        async () => {
          throw away
        },
        unexpected,
      )

      await assert.rejects(delivery, away)
      assert.deepEqual(await listDue(), [due.id])
    })

    it('belong to the process that leases them, and are settled by it', async () => {
      const [first, second] = await Promise.all([
        here.lease(due, leaseSeconds),
        there.lease(due, leaseSeconds),
      ])
      const leased = first ?? second
      assert.ok(leased !== undefined && (first === undefined || second === undefined))
      assert.deepEqual(await listDue(), [])

      assert.equal(await here.settle(leased, remove), true)

      clock.advance(leaseSeconds)
      assert.deepEqual(await listDue(), [])
    })

    it('can be leased by another process after the lease, and no longer settled by the first', async () => {
      const lost = await here.lease(due, leaseSeconds)
      assert.ok(lost !== undefined)
      clock.advance(leaseSeconds)
      assert.deepEqual(await listDue(), [due.id])

      const taken = await there.lease(due, leaseSeconds)

      assert.ok(taken !== undefined)
      assert.equal(await here.settle(lost, remove), false)
      assert.equal(await there.settle(taken, remove), true)
      assert.equal(await here.lease(due, leaseSeconds), undefined)
    })

    it('are due again if the settlement sets a due time', async () => {
      const leased = await here.lease(due, leaseSeconds)
      assert.ok(leased !== undefined)

      await here.settle(leased, async (tx, { id }) => {
        await tx
          .query('reminders')
          .where({ id })
          .update({ due_at_seconds: clock.seconds + 5 } as never)
      })

      assert.deepEqual(await listDue(), [])
      clock.advance(5)
      assert.deepEqual(await listDue(), [due.id])
    })
  })
}
