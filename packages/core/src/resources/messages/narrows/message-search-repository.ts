import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { timeLimited, type OrganizationScope } from '../../../storage/index.js'
import {
  messageColumns,
  type MessageRow,
  type SqlPart,
} from '../../channels/message-permissions/index.js'
import { receivedFlagsSql } from '../../channels/unwritten-messages/index.js'
import { SearchIndex } from '../search-index/index.js'
import { badNarrow } from './bad-narrow.js'
import {
  rangeSql,
  findsNothing,
  sharedSource,
  flaggedSource,
  joined,
  selectSql,
  unwrittenSource,
  userMessageSource,
} from './message-search-sql.js'
import type { MessageRange } from './narrow-range.js'
import type { ResolvedNarrow } from './resolved-narrow.js'

/** A found message, and the flags of the user message; null if the user never received it. */
export type SearchedMessage = MessageRow & { user_message_flags: number | null }

/**
 * Maximum size in bytes of the data that is read for one range of messages: contents, histories,
 * submessages and reactions. At least one message is read, then as many as fit, nearest to the
 * anchor first. The messages of an answer have the same limit, as JSON.
 */
export const maxFetchedBytes = 16 * 1024 * 1024

/** Bytes of an answer for each submessage besides its content, and for each reaction. */
const bytesPerSubmessage = 100
const bytesPerReaction = 150

/** The messages of a range, and the ids of messages that exceed the maximum size. */
export interface FoundMessages {
  /** Ascending by id. */
  readonly messages: readonly SearchedMessage[]
  readonly omittedIds: readonly number[]
}

/**
 * Runs a statement with a time limit.
 *
 * @throws {ChatError} `BAD_NARROW` if it takes longer.
 */
async function withinTimeLimit<Rows>(
  { dialect }: OrganizationScope,
  statement: () => Promise<Rows>,
): Promise<Rows> {
  try {
    return await statement()
  } catch (error) {
    throw dialect.isInterrupted(error) ? badNarrow(namedText('NARROW_TOO_SLOW')) : error
  }
}

/** Finds the messages that match a narrow. */
@perServer()
export class MessageSearchRepository {
  constructor(@inject(SearchIndex) private readonly index: SearchIndex) {}

  /** The messages of a range, ascending, in one statement. */
  async findRange(
    scope: OrganizationScope,
    narrow: ResolvedNarrow,
    range: MessageRange,
  ): Promise<FoundMessages> {
    const ids = rangeSql(scope, this.index.words, narrow, range)
    if (ids === undefined) return { messages: [], omittedIds: [] }
    return this.#withMessages(scope, narrow.userId, ids, range.anchor)
  }

  /** The ids of the messages of a range, ascending. */
  async findRangeIds(
    scope: OrganizationScope,
    narrow: ResolvedNarrow,
    range: MessageRange,
  ): Promise<number[]> {
    const ids = rangeSql(scope, this.index.words, narrow, range)
    if (ids === undefined) return []
    const rows = await withinTimeLimit(scope, () =>
      scope.listRawRows<{ id: number }>(
        timeLimited(`SELECT found.id FROM (${ids.sql}) found`),
        ids.bindings,
        ['id'],
      ),
    )
    return rows.map(({ id }) => id).sort((a, b) => a - b)
  }

  /** The given messages that match the narrow; beyond the maximum size, the newest are omitted. */
  async findAmong(
    scope: OrganizationScope,
    narrow: ResolvedNarrow,
    messageIds: readonly number[],
  ): Promise<FoundMessages> {
    const ids = [...new Set(messageIds)].filter(Number.isSafeInteger)
    if (ids.length === 0 || findsNothing(narrow)) return { messages: [], omittedIds: [] }
    const sources = narrow.includesUnreceived
      ? [sharedSource(scope, narrow)]
      : [userMessageSource(scope, narrow), unwrittenSource(scope, narrow)]
    const parts = sources.map((source) => {
      const isAmong = { sql: `${source.id} IN (${ids.join(',')})`, bindings: [] }
      return selectSql(scope, this.index.words, narrow, source, isAmong)
    })
    return this.#withMessages(scope, narrow.userId, joined(parts, ' UNION '), 0)
  }

  /** The oldest unread message that matches the narrow. */
  async findFirstUnread(
    scope: OrganizationScope,
    narrow: ResolvedNarrow,
  ): Promise<number | undefined> {
    if (findsNothing(narrow)) return undefined
    const isUnread = { sql: `(um.flags & ${MessageFlag.read}) = 0`, bindings: [] }
    // In this order, because user messages may be written between the two statements.
    const sources = [unwrittenSource(scope, narrow), flaggedSource(scope, narrow, 'unread')]
    const found: number[] = []
    for (const source of sources) {
      const { sql, bindings } = selectSql(scope, this.index.words, narrow, source, isUnread)
      const [row] = await withinTimeLimit(scope, () =>
        scope.raw<{ id: number }>(timeLimited(`${sql} ORDER BY ${source.id} LIMIT 1`), bindings),
      )
      if (row !== undefined) found.push(row.id)
    }
    return found.length === 0 ? undefined : Math.min(...found)
  }

  async #withMessages(
    scope: OrganizationScope,
    userId: number,
    ids: SqlPart,
    anchor: number,
  ): Promise<FoundMessages> {
    const submessages = `SELECT SUM(
        OCTET_LENGTH(p.content) + OCTET_LENGTH(p.msg_type) + ${bytesPerSubmessage}
      ) FROM ${scope.table('submessages')} p WHERE p.message_id = s.id`
    const reactions = `SELECT COUNT(*) FROM ${scope.table('reactions')} r WHERE r.message_id = s.id`
    // The `newest` anchor exceeds the precision of a double: distances from it would be rounded.
    const from = Math.min(anchor, Number.MAX_SAFE_INTEGER)
    const isSmallEnough = 'm.id = found.id AND COALESCE(found.bytes_before, 0) < ?'
    const sql = timeLimited(`SELECT m.*, found.id AS found_id,
         ${receivedFlagsSql(scope, userId, 'found.flags')} AS user_message_flags FROM (
         SELECT ids.id, ids.flags, SUM(
             OCTET_LENGTH(s.content) + OCTET_LENGTH(s.rendered_content) +
             COALESCE(OCTET_LENGTH(s.edit_history), 0) +
             COALESCE((${submessages}), 0) + ${bytesPerReaction} * (${reactions})
           ) OVER (
             ORDER BY CASE WHEN ids.id > ? THEN ids.id - ? ELSE ? - ids.id END, ids.id
             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
           ) AS bytes_before
         FROM (${ids.sql}) ids ${scope.orderedJoin('messages', 's', 's.id = ids.id')}
       ) found
       ${scope.orderedLeftJoin('messages', 'm', isSmallEnough)}`)
    const rows = await withinTimeLimit(scope, () =>
      scope.listRawRows<SearchedMessage | { id: null; found_id: number }>(
        sql,
        [from, from, from, ...ids.bindings, maxFetchedBytes],
        [...messageColumns, 'found_id', 'user_message_flags'],
      ),
    )
    const omittedIds: number[] = []
    const found: SearchedMessage[] = []
    for (const row of rows) {
      if (row.id === null) omittedIds.push(row.found_id)
      else found.push(row)
    }
    // Sorted here, because the database would sort the messages together with their contents.
    return { messages: found.sort((a, b) => a.id - b.id), omittedIds }
  }
}
