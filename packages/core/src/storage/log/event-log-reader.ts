import type { RecipientGroup } from '../../events/event.js'
import { tick, type EventLog } from '../../events/log/event-log.js'
import type { LogRecipients, LogRecord } from '../../events/log/log-entry.js'
import type { UncommittedChanges } from '../../events/log/kept-values.js'
import type { LogSecrets } from '../../events/log/log-secrets.js'
import type { UserIds } from '../../events/user-ids.js'
import type { Database } from '../database.js'
import type { EventRow } from './events-table.js'
import type { UnitOfWork } from '../transactions/unit-of-work.js'

/** Reads the logs that {@link UnitOfWork} writes. */
export class EventLogReader implements EventLog {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: LogSecrets,
  ) {}

  get uncommitted(): UncommittedChanges {
    return this.database.joined
  }

  async headSeqs(organizationIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = (await this.database
      .reader(this.database.table('organizations'))
      .whereIn('id', [...organizationIds])
      .select('id', 'event_seq')) as { id: number; event_seq: number }[]
    return new Map(rows.map((row) => [row.id, row.event_seq]))
  }

  async read(organizationId: number, afterSeq: number, limit: number): Promise<LogRecord[]> {
    const rows = await this.database
      .readCommitted(organizationId)
      .query('events')
      .where('seq', '>', afterSeq)
      .orderBy('seq')
      .limit(limit)
      .select<EventRow[]>(
        'seq',
        'kind',
        'audience_id',
        'follower_audience_id',
        'withdrawn_audience_id',
        'recipients',
        'data',
      )
    return rows.map((row) => this.secrets.open(recordOf(organizationId, row)))
  }

  knownAudience(audienceId: number): UserIds | undefined {
    return this.unitOfWork.audiences.known(audienceId)
  }

  async audience(organizationId: number, audienceId: number): Promise<UserIds> {
    return this.unitOfWork.audiences.members(
      this.database.readCommitted(organizationId),
      audienceId,
    )
  }

  async tick(organizationId: number): Promise<void> {
    await this.unitOfWork.run(organizationId, async (tx) => {
      tx.emit(tick({}))
    })
  }
}

/** The record of a row; its data are encrypted if they contain credentials. */
export function recordOf(organizationId: number, row: EventRow): LogRecord {
  const { groups, ...recipients } = (
    row.recipients === null ? {} : JSON.parse(row.recipients)
  ) as LogRecipients & { groups?: RecipientGroup[] }
  return {
    organizationId,
    seq: row.seq,
    kind: row.kind,
    audienceId: row.audience_id,
    followerAudienceId: row.follower_audience_id,
    withdrawnAudienceId: row.withdrawn_audience_id,
    recipients,
    groups: groups ?? [],
    data: JSON.parse(row.data),
  }
}
