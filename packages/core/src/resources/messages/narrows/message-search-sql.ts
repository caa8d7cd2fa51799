import { mentionFlags, MessageFlag } from '../../../domain/messages/message-flags.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import type { SqlPart } from '../../channels/message-permissions/index.js'
import { missingSql } from '../../channels/unwritten-messages/index.js'
import type { WordIndex } from '../search-index/index.js'
import { hasWords, phrasesSql, termSql } from './condition-sql.js'
import { newestAnchor, type MessageRange } from './narrow-range.js'
import type { Condition, ResolvedNarrow, SearchCondition } from './resolved-narrow.js'

/** The index that finds the messages, in the order of their ids. */
export interface Source {
  readonly from: string
  readonly bindings: readonly unknown[]
  readonly where: SqlPart
  /** The column that is sorted by and compared with the anchor. */
  readonly id: string
  /** The search that these messages match, except perhaps for its phrases. */
  readonly answered?: SearchCondition
}

/** Selects ids and flags on both sides of an anchor; undefined if the range is empty. */
export function rangeSql(
  scope: OrganizationScope,
  words: WordIndex,
  narrow: ResolvedNarrow,
  { anchor, includesAnchor, before, after }: MessageRange,
): SqlPart | undefined {
  if (findsNothing(narrow)) return undefined
  const sources = sourcesOf(scope, words, narrow)
  const sides: SqlPart[] = []
  const addSide = (comparison: string, direction: 'ASC' | 'DESC', limit: number): void => {
    if (limit === 0) return
    const name = `side${sides.length}`
    const order = `${direction} LIMIT ${limit}`
    const parts = sources.map((source, index) => {
      const bound = { sql: `${source.id} ${comparison} ?`, bindings: [anchor] }
      const isBound = anchor < newestAnchor
      const { sql, bindings } = selectSql(scope, words, narrow, source, isBound ? bound : undefined)
      const alias = index === 0 ? name : `${name}_${index}`
      return {
        sql: `SELECT * FROM (${sql} ORDER BY ${source.id} ${order}) ${alias}`,
        bindings,
      }
    })
    // Without duplicates: a message may have been indexed meanwhile.
    const all = joined(parts, ' UNION ')
    const isOne = parts.length === 1
    sides.push({
      sql: isOne ? all.sql : `SELECT * FROM (${all.sql} ORDER BY id ${order}) ${name}_all`,
      bindings: all.bindings,
    })
  }
  addSide('<', 'DESC', before)
  if (anchor < newestAnchor) {
    if (includesAnchor) addSide('=', 'ASC', 1)
    addSide('>', 'ASC', after)
  }
  if (sides.length === 0) return undefined
  return joined(sides, ' UNION ALL ')
}

function sourcesOf(
  scope: OrganizationScope,
  words: WordIndex,
  narrow: ResolvedNarrow,
): readonly Source[] {
  const search = leadingSearch(narrow)
  if (narrow.includesUnreceived) {
    return search === undefined
      ? [sharedSource(scope, narrow)]
      : searchSources(scope, words, narrow, search)
  }
  return [...receivedSources(scope, words, narrow, search), unwrittenSource(scope, narrow)]
}

/** The sources of the messages that the user received, as far as user messages are written. */
function receivedSources(
  scope: OrganizationScope,
  words: WordIndex,
  narrow: ResolvedNarrow,
  search: SearchCondition | undefined,
): readonly Source[] {
  const required = requiredConditions(narrow)
  const flagged = required.map(flagIndexOf).find((name) => name !== undefined)
  if (flagged !== undefined) return [flaggedSource(scope, narrow, flagged)]
  if (search !== undefined) return searchSources(scope, words, narrow, search)
  if (required.some(leadsToMessages)) return [messageSource(scope, narrow)]
  if (required.some(({ kind }) => kind === 'direct' || kind === 'participant')) {
    return [conversationSource(scope, narrow)]
  }
  return [userMessageSource(scope, narrow)]
}

function requiredConditions({ terms }: ResolvedNarrow): readonly Condition[] {
  return terms.filter(({ isNegated }) => !isNegated).map(({ condition }) => condition)
}

export type FlagIndex = 'unread' | 'starred' | 'mentioning'

export function flagIndexOf(condition: Condition): FlagIndex | undefined {
  if (condition.kind === 'unread') return 'unread'
  if (condition.kind !== 'flags') return undefined
  if (condition.mask === MessageFlag.starred) return 'starred'
  return condition.mask === mentionFlags ? 'mentioning' : undefined
}

/** Whether the narrow is to a conversation without messages. */
export function findsNothing({ terms }: ResolvedNarrow): boolean {
  return terms.some(
    ({ condition, isNegated }) =>
      !isNegated && condition.kind === 'conversation' && condition.recipientId === null,
  )
}

/** Whether the condition is selective and an index on messages supports it. */
export function leadsToMessages({ kind }: Condition): boolean {
  return kind === 'conversation' || kind === 'channel' || kind === 'sender' || kind === 'id'
}

/**
 * The search by which messages are found; undefined if another index is more selective:
 * conversations and topics are short compared with all messages that contain a word.
 */
function leadingSearch(narrow: ResolvedNarrow): SearchCondition | undefined {
  const required = requiredConditions(narrow)
  const isIn = (kind: Condition['kind']): boolean => required.some((one) => one.kind === kind)
  if (isIn('conversation') || isIn('id') || (isIn('channel') && isIn('topic'))) return undefined
  const search = required.find((condition) => condition.kind === 'search')
  return search !== undefined && hasWords(search.texts) ? search : undefined
}

/** The messages with the words of a search: those that are indexed, and those that are not yet. */
function searchSources(
  scope: OrganizationScope,
  words: WordIndex,
  { userId, includesUnreceived }: ResolvedNarrow,
  search: SearchCondition,
): readonly Source[] {
  const found = words.source(scope, search.texts)
  const userMessages = (messageId: string): string => {
    const isTheirs = `um.user_id = ? AND um.message_id = ${messageId}`
    return includesUnreceived
      ? scope.orderedLeftJoin('user_messages', 'um', isTheirs)
      : scope.orderedJoin('user_messages', 'um', isTheirs)
  }
  const indexed: Source = {
    // In this order, because most messages may not be the user's.
    from: `${found.from}
      ${userMessages(found.id)}
      ${scope.orderedJoin('messages', 'm', `m.id = ${found.id}`)}`,
    bindings: [...found.bindings, userId],
    where: joined([found.where, ofOrganization(scope)], ' AND '),
    id: found.id,
    answered: search,
  }
  if (search.unindexedIds.length === 0) return [indexed]
  const unindexed: Source = {
    from: `${scope.table('messages')} m ${userMessages('m.id')}`,
    bindings: [userId],
    where: {
      sql: `${ofOrganization(scope).sql} AND m.id IN (${idList(search.unindexedIds)})`,
      bindings: [scope.organizationId],
    },
    id: 'm.id',
    answered: search,
  }
  return [indexed, unindexed]
}

/** Messages of the organization, which another index than that on the organization finds. */
function ofOrganization({ dialect, organizationId }: OrganizationScope): SqlPart {
  return {
    sql: dialect.sql.equalWithoutIndex('m.organization_id', '?'),
    bindings: [organizationId],
  }
}

/** All messages; user messages are joined for their flags. */
export function sharedSource(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  const isSelective = narrow.terms.some(
    ({ condition, isNegated }) => !isNegated && leadsToMessages(condition),
  )
  return {
    from: `${scope.table('messages')} m
      ${scope.orderedLeftJoin('user_messages', 'um', 'um.user_id = ? AND um.message_id = m.id')}`,
    bindings: [narrow.userId],
    where: isSelective
      ? ofOrganization(scope)
      : { sql: 'm.organization_id = ?', bindings: [scope.organizationId] },
    id: 'm.id',
  }
}

/** The messages of a channel, conversation or sender that the user received. */
export function messageSource(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  return {
    from: `${scope.table('messages')} m
      ${scope.orderedJoin('user_messages', 'um', 'um.user_id = ? AND um.message_id = m.id')}`,
    bindings: [narrow.userId],
    where: ofOrganization(scope),
    id: 'm.id',
  }
}

/** The messages of all direct conversations of the user. */
export function conversationSource(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  return {
    from: `${scope.table('recipient_members')} own
      ${scope.orderedJoin('messages', 'm', 'm.recipient_id = own.recipient_id')}
      ${scope.orderedJoin('user_messages', 'um', 'um.user_id = ? AND um.message_id = m.id')}`,
    bindings: [narrow.userId],
    where: {
      sql: `own.organization_id = ? AND own.user_id = ? AND ${ofOrganization(scope).sql}`,
      bindings: [scope.organizationId, narrow.userId, scope.organizationId],
    },
    id: 'm.id',
  }
}

/** All messages that the user received. */
export function userMessageSource(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  return {
    from: `${scope.table('user_messages')} um
      ${scope.orderedJoin('messages', 'm', 'm.id = um.message_id')}`,
    bindings: [],
    where: {
      sql: 'um.organization_id = ? AND um.user_id = ?',
      bindings: [scope.organizationId, narrow.userId],
    },
    id: 'um.message_id',
  }
}

/** The messages that the user received, and of which no user message is written. */
export function unwrittenSource(scope: OrganizationScope, { userId }: ResolvedNarrow): Source {
  const from = `(SELECT n.user_id, ${scope.dialect.sql.integer('n.message_id')} AS message_id, n.flags
      FROM (${missingSql(scope, [userId])}) n) um
    ${scope.orderedJoin('messages', 'm', 'm.id = um.message_id')}`
  return { from, bindings: [], where: { sql: '1 = 1', bindings: [] }, id: 'um.message_id' }
}

/** The messages that the user received, by an index on a flag. */
export function flaggedSource(
  scope: OrganizationScope,
  narrow: ResolvedNarrow,
  flag: FlagIndex,
): Source {
  const source = userMessageSource(scope, narrow)
  const id = `um.${flag}_message_id`
  const { sql, bindings } = source.where
  return { ...source, where: { sql: `${sql} AND ${id} IS NOT NULL`, bindings }, id }
}

export function selectSql(
  scope: OrganizationScope,
  words: WordIndex,
  narrow: ResolvedNarrow,
  source: Source,
  bound?: SqlPart,
): SqlPart {
  const terms = narrow.terms.map((term) =>
    term.condition.kind === 'search' && term.condition === source.answered
      ? phrasesSql(scope, term.condition.texts)
      : termSql(scope, words, narrow.userId, term),
  )
  const where = joined([source.where, ...(bound === undefined ? [] : [bound]), ...terms], ' AND ')
  return {
    sql: `SELECT ${source.id} AS id, um.flags AS flags FROM ${source.from} WHERE ${where.sql}`,
    bindings: [...source.bindings, ...where.bindings],
  }
}

export function joined(parts: readonly SqlPart[], separator: string): SqlPart {
  return {
    sql: parts.map(({ sql }) => sql).join(separator),
    bindings: parts.flatMap(({ bindings }) => bindings),
  }
}
