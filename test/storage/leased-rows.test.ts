import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'

import { LocalEventBus } from '../../packages/core/src/events/bus/bus.js'
import type { OutgoingWebhookCallRow } from '../../packages/core/src/resources/notifications/outgoing-webhooks/outgoing-webhook-calls-table.js'
import { DueRows, UnitOfWork, type Database } from '../../packages/core/src/storage/index.js'
import { databaseColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { migrated, silent } from './due-database.js'

const leaseSeconds = 30

for (const column of databaseColumns()) {
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
