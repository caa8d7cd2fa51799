import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  type ApplicationTransaction,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import type { ConsumerParkedEventRow } from './consumers-table.js'

/** Null without rows. */
interface LowestSeq {
  readonly seq: number | null
}

/** The events that consumers could not handle. */
@perServer()
export class ParkedEventRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  async insert(
    trx: ApplicationTransaction,
    row: Omit<ConsumerParkedEventRow, 'id'>,
  ): Promise<void> {
    await trx(this.#table).insert(row)
  }

  async listDue(
    trx: ApplicationTransaction,
    consumer: string,
    organizationId: number,
    nowSeconds: number,
    limit: number,
  ): Promise<ConsumerParkedEventRow[]> {
    return trx(this.#table)
      .where({ consumer, organization_id: organizationId })
      .where('due_at_seconds', '<=', nowSeconds)
      .orderBy('seq')
      .limit(limit)
      .select<ConsumerParkedEventRow[]>('*')
  }

  async update(
    trx: ApplicationTransaction,
    id: number,
    changes: Partial<ConsumerParkedEventRow>,
  ): Promise<void> {
    await trx(this.#table).where({ id }).update(changes)
  }

  async delete(trx: ApplicationTransaction, id: number): Promise<void> {
    await trx(this.#table).where({ id }).delete()
  }

  /** The parked events of a consumer, oldest first. */
  async list(consumer: string, limit: number): Promise<ConsumerParkedEventRow[]> {
    return this.database
      .reader(this.#table)
      .where({ consumer })
      .orderBy('id')
      .limit(limit)
      .select<ConsumerParkedEventRow[]>('*')
  }

  /** Makes all parked events of a consumer due. @returns their number. */
  async retryAll(consumer: string): Promise<number> {
    return this.database.transaction((trx) =>
      trx(this.#table).where({ consumer }).update({ attempts: 0, due_at_seconds: 0 }),
    )
  }

  /**
   * The entry up to which all consumers have handled an organization's log; undefined without
   * consumers. Parked events are not handled.
   */
  async handledSeq(scope: OrganizationScope): Promise<number | undefined> {
    const cursors = await scope
      .queryAs('consumer_cursors', 'c')
      .select<LowestSeq[]>(scope.executor.raw('MIN(c.cursor_seq) AS seq'))
    const parked = await scope
      .queryAs('consumer_parked_events', 'p')
      .select<LowestSeq[]>(scope.executor.raw('MIN(p.seq) AS seq'))
    const handled = cursors[0]?.seq ?? undefined
    if (handled === undefined) return undefined
    return Math.min(handled, (parked[0]?.seq ?? Infinity) - 1)
  }

  /** Counts parked events whose entries were deleted as missed. */
  async forgetDeleted(tx: Transaction): Promise<void> {
    const ends = await tx.organization().first<{ event_floor_seq: number }>('event_floor_seq')
    const rows = await tx
      .query('consumer_parked_events')
      .where('seq', '<=', ends.event_floor_seq)
      .limit(1000)
      .select<{ id: number; consumer: string }[]>('id', 'consumer')
    for (const consumer of new Set(rows.map((row) => row.consumer))) {
      const ids = rows.filter((row) => row.consumer === consumer).map(({ id }) => id)
      await tx.query('consumer_parked_events').whereIn('id', ids).delete()
      await tx.query('consumer_cursors').where({ consumer }).increment('missed', ids.length)
    }
  }

  get #table(): string {
    return this.database.table('consumer_parked_events')
  }
}
