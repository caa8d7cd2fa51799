import type { Knex } from 'knex'

import type { PendingEvent } from '../../events/event.js'
import type { LogRecipients, LogRecord } from '../../events/log/log-entry.js'
import { withoutErasedTexts } from '../../events/log/text-changes.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { EventLoopYielder } from '../../kernel/event-loop-yielder.js'
import { addTo } from '../../kernel/grouping.js'
import { present } from '../../kernel/present.js'
import type { Dialect } from '../dialects/dialect.js'
import type { Transaction } from '../transactions/transaction.js'
import type { AudienceStore } from './audience-store.js'
import { AuditWriter } from './audit-writer.js'

/** Lists of at least this many recipients are interned instead of stored with each event. */
const internFrom = 33

/** The next numbers of an organization's log, taken when it was locked. */
export interface ReservedNumbers {
  readonly lastSeq: number
  readonly count: number
}

/** A pending event with its recipients in the format of the log. */
interface PreparedEvent {
  readonly event: PendingEvent
  readonly audienceId: number | null
  readonly recipients: LogRecipients
}

/**
 * Appends events to the organizations' logs as the last statements of a transaction, after the rows
 * of the audit trail.
 */
export class EventLogWriter {
  readonly #auditWriter: AuditWriter

  constructor(
    private readonly audiences: AudienceStore,
    private readonly clock: Clock,
    private readonly tablePrefix: string,
    /** The data of an event as they are stored. */
    private readonly sealData: (kind: string, data: unknown) => unknown = (_, data) => data,
  ) {
    this.#auditWriter = new AuditWriter(clock, tablePrefix)
  }

  /**
   * Assigns the next sequence numbers to the events of `transactions`, in order, and inserts them.
   * Locks each organization's row until the commit, so that the order of commits is the order of
   * the numbers.
   *
   * @param reserved numbers that the transactions have taken already; what is left is given back.
   * @param mark stored with the first entry of each organization; see `CommitOutcomes`.
   * @returns the records by organization, to be published after the commit.
   */
  async append(
    transactions: readonly Transaction[],
    executor: Knex,
    dialect: Dialect,
    mark: number | null = null,
    reserved: ReadonlyMap<number, ReservedNumbers> = new Map(),
  ): Promise<ReadonlyMap<number, readonly LogRecord[]>> {
    if (transactions.some((tx) => tx.isAudited)) {
      await this.#auditWriter.insert(transactions, executor, dialect)
    }
    const announced = new Map<number, { tx: Transaction; event: PendingEvent }[]>()
    for (const tx of transactions) {
      for (const event of tx.events) addTo(announced, tx.organizationId, { tx, event })
    }
    const prepared = new Map<number, PreparedEvent[]>([...reserved.keys()].map((id) => [id, []]))
    for (const [organizationId, list] of announced) {
      const events = withoutErasedTexts(list.map(({ event }) => event))
      for (const [index, { tx }] of list.entries()) {
        const event = events[index] as PendingEvent
        addTo(prepared, organizationId, await this.#prepare(tx, event))
      }
    }
    const records = new Map<number, readonly LogRecord[]>()
    // Always in the same order, so that two transactions cannot deadlock.
    for (const [id, events] of [...prepared].sort(([a], [b]) => a - b)) {
      const { lastSeq: reservedSeq = 0, count = 0 } = reserved.get(id) ?? {}
      const more = events.length - count
      const lastSeq =
        more === 0
          ? reservedSeq
          : await dialect.advanceCounter(
              executor,
              `${this.tablePrefix}organizations`,
              'event_seq',
              id,
              more,
            )
      if (events.length === 0) continue
      const inserted = this.#records(id, events, present(lastSeq, `the organization ${id}`))
      await this.#insert(inserted, mark, executor, dialect)
      records.set(id, inserted)
    }
    return records
  }

  async #prepare(tx: Transaction, event: PendingEvent): Promise<PreparedEvent> {
    const { audienceId = null, userIds = [], exceptUserIds } = event.audience
    const more = exceptUserIds === undefined || exceptUserIds.length === 0 ? {} : { exceptUserIds }
    if (audienceId === null && userIds.length >= internFrom) {
      return { event, audienceId: await this.audiences.intern(tx, userIds), recipients: more }
    }
    return {
      event,
      audienceId,
      recipients: userIds.length === 0 ? more : { userIds, ...more },
    }
  }

  #records(
    organizationId: number,
    events: readonly PreparedEvent[],
    lastSeq: number,
  ): readonly LogRecord[] {
    const committedAtMilliseconds = this.clock.now()
    return events.map(({ event, audienceId, recipients }, index): LogRecord => ({
      organizationId,
      seq: lastSeq - events.length + 1 + index,
      kind: event.kind,
      audienceId,
      followerAudienceId: event.audience.followerAudienceId ?? null,
      messageId: event.messageId ?? null,
      committedAtMilliseconds,
      recipients,
      groups: event.groups ?? [],
      data: event.data,
    }))
  }

  async #insert(
    records: readonly LogRecord[],
    mark: number | null,
    executor: Knex,
    dialect: Dialect,
  ): Promise<void> {
    const createdAtSeconds = nowSeconds(this.clock)
    const rows: object[] = []
    const yielder = new EventLoopYielder()
    for (const record of records) {
      rows.push({
        organization_id: record.organizationId,
        seq: record.seq,
        kind: record.kind,
        audience_id: record.audienceId,
        follower_audience_id: record.followerAudienceId,
        message_id: record.messageId,
        recipients: recipientsJson(record),
        data: JSON.stringify(this.sealData(record.kind, record.data)),
        created_at_seconds: createdAtSeconds,
        ...(mark !== null && { commit_mark: record === records[0] ? mark : null }),
      })
      if (yielder.isDue) await yielder.yield()
    }
    await dialect.insertRows(executor, `${this.tablePrefix}events`, rows, 'none')
  }
}

function recipientsJson({ recipients, groups }: LogRecord): string | null {
  if (Object.keys(recipients).length === 0 && groups.length === 0) return null
  return JSON.stringify(groups.length === 0 ? recipients : { ...recipients, groups })
}
