import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'

import { badRequest } from '../../packages/core/src/errors/index.js'
import { LocalEventBus } from '../../packages/core/src/events/bus/bus.js'
import { OrganizationChanges } from '../../packages/core/src/events/log/organization-changes.js'
import { DueMessages } from '../../packages/core/src/resources/messages/sending/due-messages.js'
import type {
  PreparedMessages,
  PrepareMessages,
} from '../../packages/core/src/resources/messages/sending/message-sending.js'
import type { ReminderRow } from '../../packages/core/src/resources/personal/reminders/reminders-table.js'
import {
  DueRows,
  UnitOfWork,
  type Database,
  type DueReference,
  type PreparedWrite,
  type Transaction,
} from '../../packages/core/src/storage/index.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { migrated, silent } from './due-database.js'

const leaseSeconds = 30

function unexpected(error: unknown): never {
  throw error
}

/** Sends nothing, but otherwise writes as messages are sent. */
function writeOf(): PreparedWrite<PrepareMessages, PreparedMessages, unknown> {
  return {
    changes: new OrganizationChanges(
      { onAny: () => () => {}, onEnd() {}, async watch() {} },
      () => true,
    ),
    prepare: async (scope, prepare) => prepare(scope),
    isCurrent: async (tx, prepared) => (await prepared.isCurrent?.(tx)) ?? true,
    async write(tx, all) {
      for (const prepared of all) await prepared.before?.(tx)
      for (const prepared of all) await prepared.after?.(tx, [])
      return all.map(() => undefined)
    },
  }
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
    let write: ReturnType<typeof writeOf>
    let due: DueReference

    before(async () => {
      const created = await column.create()
      drop = created.drop
      database = await migrated(created.config, clock)
      unitOfWork = new UnitOfWork(database, new LocalEventBus(), clock, silent)
      write = writeOf()
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

    const messagesOf = (
      rows: DueRows<ReminderRow>,
      prepare: (row: ReminderRow) => Promise<PreparedMessages>,
      prepareFailure: (error: unknown) => PreparedMessages = unexpected,
    ) =>
      new DueMessages(
        rows,
        {
          prepare: (_scope, row) => prepare(row),
          prepareFailure: async (_scope, _row, error) => prepareFailure(error),
        },
        write,
        database,
        unitOfWork,
      )

    it('are delivered once, also with concurrent deliveries', async () => {
      let count = 0
      let preparing = 0
      let begin = (): void => {}
      const allPrepared = new Promise<void>((resolve) => {
        begin = resolve
      })
      const deliver = (rows: DueRows<ReminderRow>) =>
        messagesOf(rows, async () => {
          preparing += 1
          if (preparing === 3) begin()
          // So that they share a transaction.
          await allPrepared
          return {
            messages: [],
            after: async (tx) =>
              tx.afterCommit(() => {
                count += 1
              }),
          }
        }).send(due)

      await Promise.all([deliver(here), deliver(there), deliver(here)])

      assert.equal(count, 1)
      assert.deepEqual(await listDue(), [])
    })

    it('are prepared again if they change before they are delivered', async () => {
      const notes: string[] = []
      const edit = () =>
        unitOfWork.run(1, (tx) => tx.query('reminders').update({ note: `edit ${notes.length}` }))

      await messagesOf(here, async ({ note }) => {
        notes.push(note)
        if (notes.length === 1) await edit()
        return { messages: [] }
      }).send(due)

      assert.deepEqual(notes, ['', 'edit 1'])
      assert.deepEqual(await listDue(), [])
    })

    it('are not delivered if they are deleted or postponed meanwhile', async () => {
      let written = 0
      const changes = [
        (tx: Transaction) =>
          tx.query('reminders').update({ due_at_seconds: clock.seconds + leaseSeconds }),
        (tx: Transaction) => tx.query('reminders').delete(),
      ]
      for (const change of changes) {
        await messagesOf(here, async () => {
          await unitOfWork.run(1, change)
          return {
            messages: [],
            after: async () => {
              written += 1
            },
          }
        }).send(due)
        await database.writer('reminders').update({ due_at_seconds: clock.seconds })
      }

      assert.equal(written, 0)
    })

    it('keep only the changes of the failure handler if a delivery throws', async () => {
      const failure = new Error('no')
      const failures: unknown[] = []

      await messagesOf(
        here,
        async () => ({
          messages: [],
          after: async (tx) => {
            await tx.query('reminders').update({ note: 'half' })
            throw failure
          },
        }),
        (error) => {
          failures.push(error)
          return {
            messages: [],
            before: async (tx) => {
              await tx.query('reminders').update({ note: 'failed' })
            },
          }
        },
      ).send(due)

      const row = await database.reader('reminders').first<ReminderRow>()
      assert.deepEqual([row.note, row.due_at_seconds], ['failed', null])
      assert.deepEqual(failures, [failure])
    })

    it('decide again about a refusal if they change before it is written', async () => {
      let refusals = 0

      await messagesOf(
        here,
        async ({ note }) => {
          if (note === 'edited') return { messages: [] }
          await unitOfWork.run(1, (tx) => tx.query('reminders').update({ note: 'edited' }))
          throw badRequest('NOTHING_TO_CHANGE')
        },
        () => ({
          messages: [],
          before: async () => {
            refusals += 1
          },
        }),
      ).send(due)

      assert.equal(refusals, 0)
      assert.deepEqual(await listDue(), [])
    })

    it('remain due when the database is unavailable, which does not count as a failure', async () => {
      const away = Object.assign(new Error('away'), { code: 'SQLITE_IOERR' })
      if (column.name === 'mysql') away.code = 'PROTOCOL_CONNECTION_LOST'

      const inPreparation = messagesOf(here, async () => {
        throw away
      })
      const inTransaction = messagesOf(here, async () => ({
        messages: [],
        after: async () => {
          throw away
        },
      }))

      await assert.rejects(inPreparation.send(due), away)
      await assert.rejects(inTransaction.send(due), away)
      assert.deepEqual(await listDue(), [due.id])
    })
  })
}
