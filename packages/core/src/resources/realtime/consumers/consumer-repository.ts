import { inject } from 'tsyringe'

import type { LogRecord } from '../../../events/log/log-entry.js'
import { LogSecrets } from '../../../events/log/log-secrets.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  recordOf,
  type ApplicationTransaction,
  type EventRow,
  type TableName,
} from '../../../storage/index.js'
import type { ConsumerCursorRow, ConsumerRow } from './consumers-table.js'

/** Entries that one batch passes at most, so that an uninteresting stretch is read in parts. */
const maxPassed = 10_000

/** The start of a new consumer: the end of the logs, their oldest entries, or an entry. */
export type ConsumerStart = 'end' | 'beginning' | number

/** The state of one consumer, over all organizations. */
export interface ConsumerState {
  readonly lag: number
  readonly parked: number
  readonly missed: number
}

/** Sums are texts with some drivers, and null without organizations. */
interface StateRow {
  readonly name: string
  readonly lag: number | string | null
  readonly missed: number | string | null
  readonly parked: number
}

/** An entry of the log, and when it was committed. */
export interface StoredRecord extends LogRecord {
  readonly createdAtSeconds: number
}

/** The entries that a batch can handle. */
export interface LogPart {
  /** Entries up to this one were deleted. */
  readonly floorSeq: number
  /** There is nothing else of interest up to this entry. */
  readonly upToSeq: number
  readonly records: readonly StoredRecord[]
}

/** The rows of consumers and their cursors; they belong to the server, not to one organization. */
@perServer()
export class ConsumerRepository {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(LogSecrets) private readonly secrets: LogSecrets,
  ) {}

  /** Creates a consumer with its cursors, unless it exists. */
  async create(name: string, from: ConsumerStart, nowSeconds: number): Promise<void> {
    const found = await this.database.reader(this.#table('consumers')).where({ name }).first('name')
    if (found !== undefined) return
    const row: ConsumerRow = {
      name,
      owner: null,
      leased_until_seconds: 0,
      lease_token: '',
      created_at_seconds: nowSeconds,
    }
    const start = {
      end: 'event_seq',
      beginning: 'event_floor_seq',
      // A number: it is checked to be one.
      seq: `CASE WHEN event_seq < ${Number(from) - 1} THEN event_seq ELSE ${Number(from) - 1} END`,
    }[typeof from === 'number' ? 'seq' : from]
    try {
      await this.database.transaction(async (trx) => {
        await trx(this.#table('consumers')).insert(row)
        await trx.raw(
          `INSERT INTO ?? (consumer, organization_id, cursor_seq, attempts, due_at_seconds, missed)
           SELECT ?, id, ${start}, 0, 0, 0 FROM ??`,
          [this.#table('consumer_cursors'), name, this.#table('organizations')],
        )
      })
    } catch (error) {
      // Another process has just created it.
      if (!this.database.dialect.isUniqueViolation(error)) throw error
    }
  }

  /** Takes or extends the lease. @returns false if another server has it. */
  async lease(
    trx: ApplicationTransaction,
    consumer: Omit<ConsumerRow, 'created_at_seconds'>,
    nowSeconds: number,
  ): Promise<boolean> {
    const { name, owner, lease_token, leased_until_seconds } = consumer
    const changed = await trx(this.#table('consumers'))
      .where({ name })
      .andWhere((query) => {
        void query.where({ owner }).orWhere('leased_until_seconds', '<=', nowSeconds)
      })
      .update({ owner, lease_token, leased_until_seconds })
    return changed > 0
  }

  /** Extends a lease. @returns false if it was lost: another server has taken it since. */
  async extendLease(
    trx: ApplicationTransaction,
    { name, owner, ...changes }: Omit<ConsumerRow, 'created_at_seconds'>,
  ): Promise<boolean> {
    const changed = await trx(this.#table('consumers')).where({ name, owner }).update(changes)
    return changed > 0
  }

  /** Whether the transaction is still the one that has taken the lease, and not rolled back. */
  async isIntact(trx: ApplicationTransaction, name: string, leaseToken: string): Promise<boolean> {
    const row = await trx(this.#table('consumers'))
      .where({ name, lease_token: leaseToken })
      .first<object | undefined>('name')
    return row !== undefined
  }

  async release(name: string, owner: string): Promise<void> {
    await this.database.transaction(async (trx) => {
      await trx(this.#table('consumers'))
        .where({ name, owner })
        .update({ owner: null, leased_until_seconds: 0 })
    })
  }

  /**
   * The organizations with entries, or parked events, that are due, for each of the consumers that
   * exists; none if another server has its lease. It is one statement, because every server asks
   * this every second.
   */
  async listDue(
    names: readonly string[],
    owner: string,
    nowSeconds: number,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const { reader } = this.database
    const parked = reader({ p: this.#table('consumer_parked_events') })
      .whereRaw('p.consumer = k.name AND p.organization_id = o.id')
      .where('p.due_at_seconds', '<=', nowSeconds)
      .select(reader.raw('1'))
    const due = reader({ k: this.#table('consumers') })
      .crossJoin(reader.raw('?? AS o', [this.#table('organizations')]))
      .leftJoin({ c: this.#table('consumer_cursors') }, (join) => {
        join.on('c.consumer', 'k.name').andOn('c.organization_id', 'o.id')
      })
      .whereIn('k.name', names)
      .where((query) => {
        void query.where('k.owner', owner).orWhere('k.leased_until_seconds', '<=', nowSeconds)
      })
      .where((query) => {
        void query
          .whereNull('c.consumer')
          .orWhere((inner) => {
            void inner
              .whereRaw('o.event_seq > c.cursor_seq')
              .where('c.due_at_seconds', '<=', nowSeconds)
          })
          .orWhereExists(parked)
      })
      .select('k.name', 'o.id')
    const rows = await reader(this.#table('consumers'))
      .whereIn('name', names)
      .select<{ name: string; id: number | string }[]>('name', reader.raw('0 AS id'))
      .unionAll(due)
    const organizationIds = new Map<string, number[]>()
    for (const { name, id } of rows) {
      const ids = organizationIds.get(name) ?? []
      organizationIds.set(name, ids)
      // A driver may return the numbers of a union as texts.
      if (Number(id) !== 0) ids.push(Number(id))
    }
    return organizationIds
  }

  /** The cursor in an organization; a new organization is read from its beginning. */
  async findOrAddCursor(
    trx: ApplicationTransaction,
    consumer: string,
    organizationId: number,
  ): Promise<ConsumerCursorRow> {
    const key = { consumer, organization_id: organizationId }
    const found = await trx(this.#table('consumer_cursors'))
      .where(key)
      .first<ConsumerCursorRow | undefined>()
    if (found !== undefined) return found
    const row = { ...key, cursor_seq: 0, attempts: 0, due_at_seconds: 0, missed: 0 }
    await trx(this.#table('consumer_cursors')).insert(row)
    return row
  }

  async saveCursor(
    trx: ApplicationTransaction,
    { consumer, organization_id, ...changes }: ConsumerCursorRow,
  ): Promise<void> {
    await trx(this.#table('consumer_cursors')).where({ consumer, organization_id }).update(changes)
  }

  /** The next entries of some kinds, or of all. */
  async read(
    trx: ApplicationTransaction,
    { organization_id, cursor_seq }: ConsumerCursorRow,
    kinds: readonly string[] | undefined,
    limit: number,
  ): Promise<LogPart> {
    // Read first: every entry up to the head is committed then.
    const ends = await trx(this.#table('organizations'))
      .where({ id: organization_id })
      .first<{ event_seq: number; event_floor_seq: number } | undefined>(
        'event_seq',
        'event_floor_seq',
      )
    const floorSeq = ends?.event_floor_seq ?? 0
    const after = Math.max(cursor_seq, floorSeq)
    const last = Math.min(ends?.event_seq ?? 0, after + maxPassed)
    const query = trx(this.#table('events'))
      .where({ organization_id })
      .where('seq', '>', after)
      .where('seq', '<=', last)
    if (kinds !== undefined) void query.whereIn('kind', [...kinds])
    const rows = await query.orderBy('seq').limit(limit).select<EventRow[]>('*')
    const records = rows.map((row) => this.#recordOf(organization_id, row))
    const upToSeq = records.length < limit ? Math.max(last, after) : (records.at(-1)?.seq ?? after)
    return { floorSeq, upToSeq, records }
  }

  /** One entry; undefined if it was deleted. */
  async readOne(
    trx: ApplicationTransaction,
    organizationId: number,
    seq: number,
  ): Promise<StoredRecord | undefined> {
    const row = await trx(this.#table('events'))
      .where({ organization_id: organizationId, seq })
      .first<EventRow | undefined>()
    return row === undefined ? undefined : this.#recordOf(organizationId, row)
  }

  /** The state of every consumer, by name. */
  async states(): Promise<Record<string, ConsumerState>> {
    const { reader } = this.database
    const parked = reader.raw(
      '(SELECT COUNT(*) FROM ?? AS p WHERE p.consumer = k.name) AS parked',
      [this.#table('consumer_parked_events')],
    )
    const rows = await reader({ k: this.#table('consumers') })
      // Also organizations that it has not read yet, which have no cursor.
      .joinRaw('LEFT JOIN ?? AS o ON 1 = 1', [this.#table('organizations')])
      .leftJoin({ c: this.#table('consumer_cursors') }, (join) => {
        join.on('c.consumer', 'k.name').andOn('c.organization_id', 'o.id')
      })
      .groupBy('k.name')
      .orderBy('k.name')
      .select<StateRow[]>(
        'k.name',
        reader.raw('SUM(o.event_seq - COALESCE(c.cursor_seq, 0)) AS lag'),
        reader.raw('SUM(c.missed) AS missed'),
        parked,
      )
    return Object.fromEntries(
      rows.map(({ name, lag, missed, parked: count }) => [
        name,
        { lag: Number(lag ?? 0), parked: count, missed: Number(missed ?? 0) },
      ]),
    )
  }

  /** Deletes a consumer with everything that is known of it. */
  async delete(name: string): Promise<void> {
    await this.database.transaction(async (trx) => {
      await trx(this.#table('consumers')).where({ name }).delete()
      await trx(this.#table('consumer_cursors')).where({ consumer: name }).delete()
      await trx(this.#table('consumer_parked_events')).where({ consumer: name }).delete()
    })
  }

  #recordOf(organizationId: number, row: EventRow): StoredRecord {
    const record = this.secrets.open(recordOf(organizationId, row))
    return { ...record, createdAtSeconds: row.created_at_seconds }
  }

  #table(name: TableName): string {
    return this.database.table(name)
  }
}
