import type { Knex } from 'knex'

import { MessageFlag, wildcardMentionFlags } from '../../../domain/messages/message-flags.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import { TopicVisibility } from '../../channels/topics/index.js'
import { missingSql } from '../../channels/unwritten-messages/index.js'
import { among, slices } from './message-flag-repository.js'

/** A user message with its conversation, and whether its reader has muted that. */
export interface PlacedUserMessage {
  readonly messageId: number
  readonly recipientId: number
  readonly senderId: number
  /** Null for direct messages. */
  readonly channelId: number | null
  readonly topic: string
  readonly topicKey: string
  /** Whether the channel or the topic is muted, as it counts for unread messages. */
  readonly isMuted: boolean
  /** Whether clients count the message as a mention of its recipient. */
  readonly isMention: boolean
}

interface PlacedRow {
  message_id: number
  recipient_id: number
  sender_id: number
  channel_id: number | null
  topic: string
  topic_key: string
  is_muted: boolean
  is_mention: boolean
}

const { muted, none } = TopicVisibility
/** 1 if clients do not count the message, because its channel or topic is muted. */
export const mutedSql = `CASE WHEN m.channel_id IS NOT NULL AND (t.visibility_policy = ${muted}
  OR (COALESCE(t.visibility_policy, ${none}) = ${none} AND s.is_muted = TRUE)) THEN 1 ELSE 0 END`
/** 1 if clients count the message as a mention of its recipient. */
export const mentionSql = `CASE WHEN (um.flags & ${MessageFlag.mentioned}) <> 0
  OR ((um.flags & ${wildcardMentionFlags}) <> 0 AND ${mutedSql} = 0) THEN 1 ELSE 0 END`

/** Finds user messages together with their conversations. */
@perServer()
export class PlacedMessageRepository {
  /** The user's user messages with their conversations; messages never received are omitted. */
  async listPlaced(
    scope: OrganizationScope,
    userId: number,
    messageIds: readonly number[],
  ): Promise<PlacedUserMessage[]> {
    const found: PlacedUserMessage[] = []
    for (const ids of slices(messageIds)) {
      const query = placed(scope, [userId]).whereRaw(among('um.message_id', ids))
      for (const row of await listPlacedRows(scope, query)) found.push(placedOf(row))
    }
    return found
  }

  /**
   * The user's newest unread messages, oldest first, without those of channels that the user is no
   * longer subscribed to; also of user messages that are not written yet.
   */
  async listUnread(
    scope: OrganizationScope,
    userId: number,
    limit: number,
  ): Promise<PlacedUserMessage[]> {
    const found = await scope.readTogether<PlacedRow[][]>(
      ...unread(scope, [userId]).map((query) => () => {
        query.orderBy('um.unread_message_id', 'desc').limit(limit)
        return listPlacedRows(scope, query)
      }),
    )
    const rows = found.flat().sort((one, other) => other.message_id - one.message_id)
    return rows.slice(0, limit).reverse().map(placedOf)
  }
}

/**
 * Queries of the users' unread messages: those with a user message, and those for which it is not
 * written yet. Messages of channels that a user is no longer subscribed to are omitted.
 */
export function unread(
  scope: OrganizationScope,
  userIds: readonly number[],
  channelIds?: readonly number[],
): Knex.QueryBuilder[] {
  const unwritten = scope.executor.from(
    scope.executor.raw(
      `(SELECT found.*, CASE WHEN (found.flags & ${MessageFlag.read}) = 0 THEN found.message_id END
         AS unread_message_id FROM (${missingSql(scope, userIds, channelIds)}) found) um`,
    ),
  )
  return [scope.queryAs('user_messages', 'um'), unwritten].map((source) => {
    const query = placed(scope, userIds, source)
      .whereNotNull('um.unread_message_id')
      .where((where) => void where.whereNull('s.user_id').orWhere('s.is_active', true))
    return channelIds === undefined
      ? query
      : query.whereRaw(`m.channel_id IN (${idList(channelIds)})`)
  })
}

/** A query of user messages `um` with their messages `m`, subscriptions `s` and topics `t`. */
function placed(
  scope: OrganizationScope,
  userIds: readonly number[],
  userMessages: Knex.QueryBuilder = scope.queryAs('user_messages', 'um'),
): Knex.QueryBuilder {
  return userMessages
    .join(scope.as('messages', 'm'), 'm.id', 'um.message_id')
    .leftJoin(scope.as('subscriptions', 's'), (join) => {
      join.on('s.channel_id', 'm.channel_id').andOn('s.user_id', 'um.user_id')
    })
    .leftJoin(scope.as('user_topics', 't'), (join) => {
      join
        .on('t.channel_id', 'm.channel_id')
        .andOn('t.topic_key', 'm.topic_key')
        .andOn('t.user_id', 'um.user_id')
    })
    .whereRaw(`um.user_id IN (${idList(userIds)})`)
}

async function listPlacedRows(
  scope: OrganizationScope,
  query: Knex.QueryBuilder,
): Promise<PlacedRow[]> {
  const columns = {
    message_id: 'um.message_id',
    recipient_id: 'm.recipient_id',
    sender_id: 'm.sender_id',
    channel_id: 'm.channel_id',
    topic: 'm.topic',
    topic_key: 'm.topic_key',
    is_muted: scope.executor.raw(mutedSql),
    is_mention: scope.executor.raw(mentionSql),
  }
  return scope.listRows<PlacedRow>(query, columns, { booleans: ['is_mention'] })
}

function placedOf(row: PlacedRow): PlacedUserMessage {
  return {
    messageId: row.message_id,
    recipientId: row.recipient_id,
    senderId: row.sender_id,
    channelId: row.channel_id,
    topic: row.topic,
    topicKey: row.topic_key,
    isMuted: row.is_muted,
    isMention: row.is_mention,
  }
}
