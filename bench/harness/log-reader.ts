import type { Knex } from 'knex'

import { History } from '../load/history.js'
import type { UserHistory } from '../load/soak-clients.js'

const rowsPerRead = 2000

interface LogRow {
  readonly seq: number
  readonly kind: string
  readonly audience_id: number | null
  readonly message_id: number | null
  readonly recipients: string | null
}

interface AudienceRow {
  readonly base_id: number | null
  readonly user_ids: string
  readonly removed_user_ids: string | null
}

interface Recipients {
  readonly userIds?: readonly number[]
  readonly exceptUserIds?: readonly number[]
}

/** Reads the log of the only organization from the database, and what each user should get of it. */
export class LogReader {
  readonly #users = new Map<number, { history: History; lastSeq: number }>()
  readonly #audiences = new Map<number, readonly number[]>()
  #lastSeq = 0

  constructor(private readonly knex: Knex) {}

  /** Begins after what there is already. */
  async begin(): Promise<void> {
    this.#lastSeq = await this.#head()
  }

  /** @throws {Error} if an entry is missing. */
  async readNew(): Promise<void> {
    const head = await this.#head()
    while (this.#lastSeq < head) {
      const rows = (await this.knex('chat_events')
        .select('seq', 'kind', 'audience_id', 'message_id', 'recipients')
        .where('seq', '>', this.#lastSeq)
        .orderBy('seq')
        .limit(rowsPerRead)) as LogRow[]
      for (const row of rows) await this.#add(row)
      if (rows.length === 0) throw new Error(`The log ends at ${this.#lastSeq}, not at ${head}`)
    }
  }

  get histories(): ReadonlyMap<number, UserHistory> {
    return new Map(
      [...this.#users].map(([userId, { history, lastSeq }]) => [
        userId,
        { count: history.count, hash: history.hash, lastSeq },
      ]),
    )
  }

  async #add(row: LogRow): Promise<void> {
    if (row.seq !== this.#lastSeq + 1) {
      throw new Error(`The log has ${row.seq} after ${this.#lastSeq}`)
    }
    this.#lastSeq = row.seq
    const changesMessage = row.kind === 'message' || row.kind === 'update_message'
    if (!changesMessage && !row.kind.startsWith('update_message_flags/')) return
    const { userIds = [], exceptUserIds = [] } = JSON.parse(row.recipients ?? '{}') as Recipients
    const audience = row.audience_id === null ? [] : await this.#audience(row.audience_id)
    const excepted = new Set(exceptUserIds)
    for (const userId of new Set([...audience, ...userIds])) {
      if (excepted.has(userId)) continue
      const user = this.#users.get(userId) ?? { history: new History(), lastSeq: 0 }
      this.#users.set(userId, user)
      user.lastSeq = row.seq
      if (changesMessage) user.history.add(row.seq, row.message_id ?? 0)
    }
  }

  async #audience(id: number): Promise<readonly number[]> {
    const known = this.#audiences.get(id)
    if (known !== undefined) return known
    const row = (await this.knex('chat_event_audiences').where({ id }).first()) as AudienceRow
    const removed = new Set(idsOf(row.removed_user_ids ?? ''))
    const base = row.base_id === null ? [] : await this.#audience(row.base_id)
    const userIds = [...base.filter((userId) => !removed.has(userId)), ...idsOf(row.user_ids)]
    this.#audiences.set(id, userIds)
    return userIds
  }

  async #head(): Promise<number> {
    const row = (await this.knex('chat_organizations').first('event_seq')) as { event_seq: number }
    return row.event_seq
  }
}

function idsOf(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number)
}
