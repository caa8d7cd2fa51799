import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'

import { LocalEventBus } from '../../packages/core/src/events/bus.js'
import {
  Database,
  DueRows,
  Migrator,
  UnitOfWork,
  type DatabaseOption,
  type DueReference,
  type Transaction,
} from '../../packages/core/src/storage/index.js'
import type { OutgoingWebhookCallRow } from '../../packages/core/src/resources/notifications/outgoing-webhooks/outgoing-webhook-repository.js'
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

/** A database with two organizations. */
async function migrated(config: DatabaseOption, clock: FakeClock): Promise<Database> {
  const database = new Database(config, '')
  await new Migrator(database).migrate()
  const organization = {
    name: 'Due',
    created_at_seconds: clock.seconds,
    epoch: 'due',
    settings: '{}',
    user_defaults: '{}',
  }
  await database.writer('organizations').insert([
    { ...organization, id: 1, subdomain: '' },
    { ...organization, id: 2, subdomain: 'other' },
  ])
  return database
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
      database = await migrated(created.config, clock)
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
  })

  describe(`leased rows (${column.title})`, () => {
    const clock = new FakeClock()
    let database: Database
    let unitOfWork: UnitOfWork
    let drop: () => Promise<void>
    /** As two processes have them. */
    let here: DueRows<OutgoingWebhookCallRow>
    let there: DueRows<OutgoingWebhookCallRow>
    /** Ids of two rows of organization 1; organization 2 has a row that is due one second earlier. */
    let ids: number[]
    let elsewhere: number

    before(async () => {
      const created = await column.create()
      drop = created.drop
      database = await migrated(created.config, clock)
      unitOfWork = new UnitOfWork(database, new LocalEventBus(), clock, silent)
      here = new DueRows('outgoing_webhook_calls', database, unitOfWork, clock)
      there = new DueRows('outgoing_webhook_calls', database, unitOfWork, clock)
    })
    after(async () => {
      await database.close()
      await drop()
    })
    beforeEach(async () => {
      await database.writer('outgoing_webhook_calls').delete()
      const due = { bot_id: 1, message_id: 1, attempts: 0, due_at_seconds: clock.seconds }
      const earlier = { ...due, due_at_seconds: clock.seconds - 1 }
      const first = await unitOfWork.run(1, (tx) => tx.insert('outgoing_webhook_calls', [due, due]))
      elsewhere = await unitOfWork.run(2, (tx) => tx.insert('outgoing_webhook_calls', earlier))
      ids = [first, first + 1]
    })

    async function listDue(organizationId?: number): Promise<number[]> {
      return (await there.listDue(10, organizationId)).map(({ id }) => id)
    }
    async function remove(leased: readonly OutgoingWebhookCallRow[]): Promise<number> {
      return unitOfWork.run(1, (tx) => here.delete(tx, leased))
    }
    async function change(
      leased: OutgoingWebhookCallRow,
      changes: Partial<OutgoingWebhookCallRow>,
    ): Promise<boolean> {
      return unitOfWork.run(1, (tx) => here.change(tx, leased, changes))
    }

    it('are listed for all organizations or for one, the longest overdue first', async () => {
      assert.deepEqual(await listDue(), [elsewhere, ...ids])
      assert.deepEqual(await listDue(1), ids)
      assert.deepEqual(await listDue(2), [elsewhere])
      assert.deepEqual(
        (await here.listDue(1)).map(({ id, organization_id }) => [id, organization_id]),
        [[elsewhere, 2]],
      )
    })

    it('are leased by one process, with a count of the attempts', async () => {
      const [first, second] = await Promise.all([
        here.lease(1, ids, leaseSeconds),
        there.lease(1, ids, leaseSeconds),
      ])

      const leased = [...first, ...second]
      const due_at_seconds = clock.seconds + leaseSeconds
      assert.ok(first.length === 0 || second.length === 0)
      assert.deepEqual(
        leased.map((row) => [row.id, row.attempts, row.due_at_seconds]),
        ids.map((id) => [id, 1, due_at_seconds]),
      )
      const stored = await unitOfWork.run(1, (tx) =>
        tx.query('outgoing_webhook_calls').orderBy('id').select('*'),
      )
      assert.deepEqual(stored, leased)
      assert.deepEqual(await listDue(), [elsewhere])
    })

    it('are not leased in another organization', async () => {
      assert.deepEqual(await here.lease(1, [elsewhere], leaseSeconds), [])
      assert.ok((await listDue()).includes(elsewhere))
    })

    it('are leased in batches until none is due', async () => {
      const batches: number[][] = []

      for await (const leased of here.leaseBatches(1, 1, leaseSeconds)) {
        batches.push(leased.map(({ id }) => id))
      }

      assert.deepEqual(batches, [[ids[0]], [ids[1]]])
      assert.deepEqual(await listDue(), [elsewhere])
    })

    it('can be deleted together by the process that leases them', async () => {
      const leased = await here.lease(1, ids, leaseSeconds)

      assert.equal(await remove(leased), 2)

      clock.jump(leaseSeconds)
      assert.deepEqual(await listDue(1), [])
    })

    it('are due again after the lease, and the first process can no longer change them', async () => {
      const [lost] = await here.lease(1, ids, leaseSeconds)
      assert.ok(lost !== undefined)
      clock.jump(leaseSeconds - 1)
      assert.deepEqual(await listDue(1), [])
      clock.jump(1)
      assert.deepEqual(await listDue(1), ids)

      const taken = await there.lease(1, ids, leaseSeconds)

      assert.deepEqual(
        taken.map(({ attempts }) => attempts),
        [2, 2],
      )
      assert.equal(await remove([lost]), 0)
      assert.equal(await change(lost, { due_at_seconds: clock.seconds }), false)
      assert.equal(await remove(taken), 2)
    })

    it('are due again when a change says so', async () => {
      const [leased] = await here.lease(1, ids.slice(0, 1), leaseSeconds)
      assert.ok(leased !== undefined)

      assert.equal(await change(leased, { due_at_seconds: clock.seconds + 5, attempts: 0 }), true)

      clock.jump(4)
      assert.deepEqual(await listDue(1), ids.slice(1))
      clock.jump(1)
      const again = await there.lease(1, ids.slice(0, 1), leaseSeconds)
      assert.deepEqual(
        again.map(({ attempts }) => attempts),
        [1],
      )
    })

    it('remain leased while the lease is extended', async () => {
      const [leased] = await here.lease(1, ids.slice(0, 1), leaseSeconds)
      assert.ok(leased !== undefined)
      clock.jump(leaseSeconds)
      const due_at_seconds = clock.seconds + leaseSeconds

      assert.equal(await change(leased, { due_at_seconds }), true)

      assert.deepEqual(await there.lease(1, ids.slice(0, 1), leaseSeconds), [])
      assert.equal(await remove([leased]), 0)
      assert.equal(await remove([{ ...leased, due_at_seconds }]), 1)
    })
  })
}
