import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import { Database } from '../database.js'
import type { TableName } from '../rows/tables.js'

/** Beyond it, counting would take longer than the number is worth. */
const maxCounted = 10_000

/** Deferred work that is due and not done, in all organizations: each at most 10,000. */
export interface WorkBacklogs {
  readonly scheduledMessages: number
  readonly reminders: number
  readonly pushNotifications: number
  /** Calls of the programs of outgoing webhook bots. */
  readonly botWebhookCalls: number
}

/** Counts the work that waits in the database. */
@perServer()
export class Backlogs {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async count(): Promise<WorkBacklogs> {
    return {
      scheduledMessages: await this.#countDue('scheduled_messages'),
      reminders: await this.#countDue('reminders'),
      pushNotifications: await this.#countDue('push_notifications'),
      botWebhookCalls: await this.#countDue('outgoing_webhook_calls'),
    }
  }

  /** Number of entries in the logs of all organizations. */
  async countLogEntries(): Promise<number> {
    const { reader } = this.database
    const row = await reader(this.database.table('organizations'))
      .select(reader.raw('SUM(event_seq - event_floor_seq) AS entries'))
      .first<{ entries: number | string | null } | undefined>()
    return Number(row?.entries ?? 0)
  }

  async #countDue(table: TableName): Promise<number> {
    const { reader } = this.database
    const due = reader(this.database.table(table))
      .where('due_at_seconds', '<=', nowSeconds(this.clock))
      .limit(maxCounted)
      .select('due_at_seconds')
    const row = await reader
      .from(due.as('due'))
      .count('* as rows')
      .first<{ rows: number | string } | undefined>()
    return Number(row?.rows ?? 0)
  }
}
