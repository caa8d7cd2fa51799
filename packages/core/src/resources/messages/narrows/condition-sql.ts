import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { resolvedTopicPrefix } from '../../../domain/messages/topics.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import { readableSql, type SqlPart } from '../../channels/message-permissions/index.js'
import type { WordIndex } from '../search-index/index.js'
import type { Condition, ResolvedTerm, SearchCondition } from './resolved-narrow.js'
import type { SearchTexts } from './search-texts.js'

const topicPolicy = { muted: 1, unmuted: 2, followed: 3 } as const

/**
 * A term as SQL over `m`, the message, and `um`, the user's user message. The result is never
 * NULL, so that a negated term matches exactly the messages that the term does not match.
 */
export function termSql(
  scope: OrganizationScope,
  words: WordIndex,
  userId: number,
  term: ResolvedTerm,
): SqlPart {
  const part =
    term.condition.kind === 'search'
      ? searchSql(scope, words, term.condition)
      : conditionSql(scope, userId, term.condition)
  return term.isNegated ? { sql: `NOT (${part.sql})`, bindings: part.bindings } : part
}

function conditionSql(
  scope: OrganizationScope,
  userId: number,
  condition: Exclude<Condition, SearchCondition>,
): SqlPart {
  switch (condition.kind) {
    case 'channel':
      return part('(m.channel_id IS NOT NULL AND m.channel_id = ?)', condition.channelId)
    case 'channels':
      return part(
        `(m.channel_id IS NOT NULL AND m.channel_id IN (
          SELECT c.id FROM ${scope.table('channels')} c
          WHERE c.organization_id = ? AND c.${condition.which === 'public' ? 'is_private' : 'is_web_public'} = ?))`,
        scope.organizationId,
        condition.which === 'web-public',
      )
    case 'topic':
      return part('(m.channel_id IS NOT NULL AND m.topic_key = ?)', condition.topicKey)
    case 'sender':
      return part('m.sender_id = ?', condition.userId)
    case 'conversation':
      // No conversation has the id 0, so the lookup reads no rows.
      return part('m.recipient_id = ?', condition.recipientId ?? 0)
    case 'participant':
      return participantSql(scope, condition)
    case 'direct':
      return part('m.channel_id IS NULL')
    case 'unread':
      return part('(um.flags & ?) = 0', MessageFlag.read)
    case 'flags':
      return part('(um.flags & ?) <> 0', condition.mask)
    case 'resolved':
      return part(
        `(m.channel_id IS NOT NULL AND SUBSTR(m.topic, 1, ${resolvedTopicPrefix.length}) = ?)`,
        resolvedTopicPrefix,
      )
    case 'followed':
      return topicPolicySql(scope, userId, [topicPolicy.followed])
    case 'hidden':
      return hiddenSql(scope, userId)
    case 'shown':
      return not(hiddenSql(scope, userId))
    case 'topicNotMuted':
      return not(topicPolicySql(scope, userId, [topicPolicy.muted]))
    case 'traits':
      return part('(m.content_traits & ?) <> 0', condition.mask)
    case 'reaction':
      return part(exists(`${scope.table('reactions')} r WHERE r.message_id = m.id`))
    case 'id':
      return part('m.id = ?', condition.messageId)
    case 'readable':
      return readableSql(scope, condition.viewer)
  }
}

/** Group conversations are those with more than two members. */
function participantSql(
  scope: OrganizationScope,
  { userId, groupsOnly }: Extract<Condition, { kind: 'participant' }>,
): SqlPart {
  const members = scope.table('recipient_members')
  const inConversation = exists(
    `${members} p WHERE p.recipient_id = m.recipient_id AND p.user_id = ?`,
  )
  if (!groupsOnly) return part(`(m.channel_id IS NULL AND ${inConversation})`, userId)
  return part(
    `(m.channel_id IS NULL AND ${inConversation}
      AND (SELECT COUNT(*) FROM ${members} p WHERE p.recipient_id = m.recipient_id) > 2)`,
    userId,
  )
}

function topicPolicySql(
  scope: OrganizationScope,
  userId: number,
  policies: readonly number[],
): SqlPart {
  return part(
    exists(
      `${scope.table('user_topics')} t
       WHERE t.user_id = ? AND t.channel_id = m.channel_id AND t.topic_key = m.topic_key
         AND t.visibility_policy IN (${policies.join(', ')})`,
    ),
    userId,
  )
}

/** Messages that `in:home` excludes: muted topics, and muted channels except some topics. */
function hiddenSql(scope: OrganizationScope, userId: number): SqlPart {
  const muted = topicPolicySql(scope, userId, [topicPolicy.muted])
  const shown = topicPolicySql(scope, userId, [topicPolicy.unmuted, topicPolicy.followed])
  const isChannelMuted = exists(
    `${scope.table('subscriptions')} s
     WHERE s.user_id = ? AND s.channel_id = m.channel_id AND s.is_active = ? AND s.is_muted = ?`,
  )
  return part(
    `(m.channel_id IS NOT NULL
      AND (${muted.sql} OR (${isChannelMuted} AND NOT (${shown.sql}))))`,
    ...muted.bindings,
    userId,
    true,
    true,
    ...shown.bindings,
  )
}

/** A search for stop words alone, such as "the", finds nothing. */
function searchSql(
  scope: OrganizationScope,
  words: WordIndex,
  { texts, unindexedIds }: SearchCondition,
): SqlPart {
  if (!hasWords(texts)) return part('1 = 0')
  const indexed = words.conditionSql(scope, 'm.id', texts)
  const unindexed = unindexedIds.length === 0 ? '' : ` OR m.id IN (${idList(unindexedIds)})`
  const phrases = phrasesSql(scope, texts)
  return {
    sql: `((${indexed.sql}${unindexed}) AND ${phrases.sql})`,
    bindings: [...indexed.bindings, ...phrases.bindings],
  }
}

/** Whether a search looks for anything. */
export function hasWords({ words, beginning }: SearchTexts): boolean {
  return words.length > 0 || beginning !== undefined
}

/** Whether the message has all phrases. */
export function phrasesSql(scope: OrganizationScope, { phrases }: SearchTexts): SqlPart {
  if (phrases.length === 0) return part('1 = 1')
  const occurring = phrases.map((phrase) => phraseSql(scope, phrase))
  return {
    sql: occurring.map(({ sql }) => sql).join(' AND '),
    bindings: occurring.flatMap(({ bindings }) => bindings),
  }
}

function phraseSql({ dialect }: OrganizationScope, phrase: string): SqlPart {
  const { contains } = dialect.sql
  const variants = caseVariants(phrase)
  const occurrences = variants.map(() => contains('LOWER(m.content)'))
  return part(`(${occurrences.join(' OR ')} OR ${contains('m.topic_key')})`, ...variants, phrase)
}

/** SQLite's LOWER converts ASCII letters only, so other letters are searched in both cases. */
function caseVariants(folded: string): string[] {
  const lowerLatin = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  const [first = '', ...rest] = folded
  return [
    ...new Set([
      folded,
      lowerLatin(folded.toUpperCase()),
      lowerLatin(first.toUpperCase() + rest.join('')),
    ]),
  ]
}

/**
 * Whether a row exists, evaluated for each message. Databases convert an EXISTS into a join, and
 * may then read the other table in full, or the messages in another order.
 */
function exists(from: string): string {
  return `(SELECT 1 FROM ${from} LIMIT 1) IS NOT NULL`
}

function not({ sql, bindings }: SqlPart): SqlPart {
  return { sql: `NOT (${sql})`, bindings }
}

function part(sql: string, ...bindings: readonly unknown[]): SqlPart {
  return { sql, bindings }
}
