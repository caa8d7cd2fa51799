import { mentionFlags, MessageFlag } from '../../../domain/message-flags.js'
import { newestAnchor, type MessageRange } from './narrow-range.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { SqlPart } from '../../channels/message-permissions/index.js'
import type { Condition, ResolvedNarrow } from './resolved-narrow.js'
import { termSql } from './condition-sql.js'

/** The index that finds the messages, in the order of their ids. */
export interface Source {
  readonly from: string
  readonly bindings: readonly unknown[]
  readonly where: SqlPart
  /** The column that is sorted by and compared with the anchor. */
  readonly id: string
}

/** Selects ids and flags on both sides of an anchor; undefined if the range is empty. */
export function rangeSql(
  scope: OrganizationScope,
  narrow: ResolvedNarrow,
  { anchor, includesAnchor, before, after }: MessageRange,
): SqlPart | undefined {
  if (findsNothing(narrow)) return undefined
  const source = sourceOf(scope, narrow)
  const sides: SqlPart[] = []
  const addSide = (comparison: string, direction: 'ASC' | 'DESC', limit: number): void => {
    if (limit === 0) return
    const bound = { sql: `${source.id} ${comparison} ?`, bindings: [anchor] }
    const side = selectSql(scope, narrow, source, anchor >= newestAnchor ? undefined : bound)
    sides.push({
      sql: `SELECT * FROM (${side.sql} ORDER BY ${source.id} ${direction} LIMIT ${limit}) side${sides.length}`,
      bindings: side.bindings,
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

export function sourceOf(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  if (narrow.includesUnreceived) {
    const word = leadingWord(narrow)
    return word === undefined
      ? sharedSource(scope, narrow)
      : wordSource(scope, narrow, word, 'LEFT JOIN')
  }
  const required = narrow.terms
    .filter(({ isNegated }) => !isNegated)
    .map(({ condition }) => condition)
  const flagged = required.map(flagIndexOf).find((name) => name !== undefined)
  if (flagged !== undefined) return flaggedSource(scope, narrow, flagged)
  const word = leadingWord(narrow)
  if (word !== undefined) return wordSource(scope, narrow, word, scope.dialect.orderedJoin)
  if (required.some(leadsToMessages)) return messageSource(scope, narrow)
  if (required.some(({ kind }) => kind === 'direct' || kind === 'participant')) {
    return conversationSource(scope, narrow)
  }
  return userMessageSource(scope, narrow)
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
 * The word that is likely to be in the fewest messages; undefined if another index is more
 * selective: conversations and topics are short compared with all messages that contain a word.
 */
export function leadingWord({ terms }: ResolvedNarrow): string | undefined {
  const required = terms.filter(({ isNegated }) => !isNegated).map(({ condition }) => condition)
  const isIn = (kind: Condition['kind']): boolean => required.some((one) => one.kind === kind)
  if (isIn('conversation') || isIn('id') || (isIn('channel') && isIn('topic'))) return undefined
  return required
    .flatMap((condition) => (condition.kind === 'search' ? condition.texts.stems : []))
    .toSorted((a, b) => b.length - a.length)[0]
}

/** The messages that contain a word. */
export function wordSource(
  scope: OrganizationScope,
  narrow: ResolvedNarrow,
  word: string,
  joinOfUserMessages: string,
): Source {
  return {
    from: `${scope.table('message_words')} found_word
      ${scope.dialect.orderedJoin} ${scope.table('messages')} m ON m.id = found_word.message_id
      ${joinOfUserMessages} ${scope.table('user_messages')} um
        ON um.user_id = ? AND um.message_id = found_word.message_id`,
    bindings: [narrow.userId],
    where: {
      sql: 'found_word.organization_id = ? AND found_word.word = ?',
      bindings: [scope.organizationId, word],
    },
    id: 'found_word.message_id',
  }
}

/** All messages; user messages are joined for their flags. */
export function sharedSource(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  const isSelective = narrow.terms.some(
    ({ condition, isNegated }) => !isNegated && leadsToMessages(condition),
  )
  return {
    from: `${scope.table('messages')} m
      LEFT JOIN ${scope.table('user_messages')} um ON um.user_id = ? AND um.message_id = m.id`,
    bindings: [narrow.userId],
    where: {
      // The addition makes the optimizer prefer other indexes to the one on the organization.
      sql: isSelective ? 'm.organization_id + 0 = ?' : 'm.organization_id = ?',
      bindings: [scope.organizationId],
    },
    id: 'm.id',
  }
}

/** The messages of a channel, conversation or sender that the user received. */
export function messageSource(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  return {
    from: `${scope.table('messages')} m
      ${scope.dialect.orderedJoin} ${scope.table('user_messages')} um
        ON um.user_id = ? AND um.message_id = m.id`,
    bindings: [narrow.userId],
    where: { sql: 'm.organization_id + 0 = ?', bindings: [scope.organizationId] },
    id: 'm.id',
  }
}

/** The messages of all direct conversations of the user. */
export function conversationSource(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  const join = scope.dialect.orderedJoin
  return {
    from: `${scope.table('recipient_members')} own
      ${join} ${scope.table('messages')} m ON m.recipient_id = own.recipient_id
      ${join} ${scope.table('user_messages')} um ON um.user_id = ? AND um.message_id = m.id`,
    bindings: [narrow.userId],
    where: {
      sql: 'own.organization_id = ? AND own.user_id = ? AND m.organization_id + 0 = ?',
      bindings: [scope.organizationId, narrow.userId, scope.organizationId],
    },
    id: 'm.id',
  }
}

/** All messages that the user received. */
export function userMessageSource(scope: OrganizationScope, narrow: ResolvedNarrow): Source {
  return {
    from: `${scope.table('user_messages')} um
      ${scope.dialect.orderedJoin} ${scope.table('messages')} m ON m.id = um.message_id`,
    bindings: [],
    where: {
      sql: 'um.organization_id = ? AND um.user_id = ?',
      bindings: [scope.organizationId, narrow.userId],
    },
    id: 'um.message_id',
  }
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
  narrow: ResolvedNarrow,
  source: Source,
  bound?: SqlPart,
): SqlPart {
  const terms = narrow.terms.map((term) => termSql(scope, narrow.userId, term))
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
