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
  describe(`rows that are due (${column.title})`, () => {
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

    it('are written once, whatever is thrown by those who wait for the commit', async () => {
      const told: string[] = []

      const runs = await unitOfWork.run(1, async (tx) => {
        tx.afterCommit(() => {
          throw new Error('the test says so')
        })
        tx.afterCommit(() => told.push('second'))
        await tx.query('reminders').update({ note: 'once' })
        return told.push('work')
      })

      assert.equal(runs, 1)
      assert.deepEqual(told, ['work', 'second'])
    })

    it('are listed from their second on, and not when there is nothing to be done', async () => {
      clock.jump(-1)
      assert.deepEqual(await listDue(), [])
      clock.jump(1)
      assert.deepEqual(await listDue(), [due.id])
      await database.writer('reminders').update({ due_at_seconds: null })
      assert.deepEqual(await listDue(), [])
    })

    it('are delivered once, whoever asks at the same time', async () => {
      let count = 0
      const deliver = (rows: DueRows<ReminderRow>) =>
        rows.deliver(
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

    it('keep nothing of a delivery that throws but what the failure writes', async () => {
      const failure = new Error('no')
      const failures: unknown[] = []

      await here.deliver(
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

    it('stay due when the database is away, which is no failure of theirs', async () => {
      const away = Object.assign(new Error('away'), { code: 'SQLITE_IOERR' })
      if (column.name === 'mysql') away.code = 'PROTOCOL_CONNECTION_LOST'

      const delivery = here.deliver(
        due,
        async () => {
          throw away
        },
        unexpected,
      )

      await assert.rejects(delivery, away)
      assert.deepEqual(await listDue(), [due.id])
    })

    it('belong to whoever leases them, and are settled by it', async () => {
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

    it('go to another after the lease, and the first can settle them no more', async () => {
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

    it('are due again when the settlement says so', async () => {
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
