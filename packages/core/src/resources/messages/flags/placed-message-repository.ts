import type { Knex } from 'knex'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { TopicVisibility } from '../../channels/topics/index.js'
import { missingSql } from '../../channels/unwritten-messages/index.js'
import { among, slices } from './message-flag-repository.js'

/** A user message with its conversation, and whether its reader has muted that. */
export interface PlacedUserMessage {
  readonly messageId: number
  readonly flags: number
  readonly recipientId: number
  readonly senderId: number
  /** Null for direct messages. */
  readonly channelId: number | null
  readonly topic: string
  readonly topicKey: string
  /** Whether the channel or the topic is muted, as it counts for unread messages. */
  readonly isMuted: boolean
}

interface PlacedRow {
  message_id: number
  flags: number
  recipient_id: number
  sender_id: number
  channel_id: number | null
  topic: string
  topic_key: string
  is_muted: boolean | 0 | 1 | null
  visibility_policy: number | null
}

const placedColumns = {
  message_id: 'um.message_id',
  flags: 'um.flags',
  recipient_id: 'm.recipient_id',
  sender_id: 'm.sender_id',
  channel_id: 'm.channel_id',
  topic: 'm.topic',
  topic_key: 'm.topic_key',
  is_muted: 's.is_muted',
  visibility_policy: 't.visibility_policy',
} as const

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
      const query = this.#placed(scope, userId).whereRaw(among('um.message_id', ids))
      const rows = await scope.listRows<PlacedRow>(query, placedColumns)
      for (const row of rows) found.push(placedOf(row))
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
    const unwritten = missingSql(scope, userId)
    const sources = [
      scope.queryAs('user_messages', 'um'),
      scope.executor.from(
        scope.executor.raw(
          `(SELECT found.*, CASE WHEN (found.flags & ${MessageFlag.read}) = 0 THEN found.message_id END
             AS unread_message_id FROM (${unwritten}) found) um`,
        ),
      ),
    ]
    const found = await scope.readTogether<PlacedRow[][]>(
      ...sources.map((source) => () => {
        const query = this.#placed(scope, userId, source)
          .whereNotNull('um.unread_message_id')
          .where((where) => void where.whereNull('s.user_id').orWhere('s.is_active', true))
          .orderBy('um.unread_message_id', 'desc')
          .limit(limit)
        return scope.listRows<PlacedRow>(query, placedColumns)
      }),
    )
    const rows = found.flat().sort((one, other) => other.message_id - one.message_id)
    return rows.slice(0, limit).reverse().map(placedOf)
  }

  #placed(
    scope: OrganizationScope,
    userId: number,
    userMessages: Knex.QueryBuilder = scope.queryAs('user_messages', 'um'),
  ) {
    return userMessages
      .join(scope.as('messages', 'm'), 'm.id', 'um.message_id')
      .leftJoin(scope.as('subscriptions', 's'), (join) => {
        join.on('s.channel_id', 'm.channel_id').andOnVal('s.user_id', userId)
      })
      .leftJoin(scope.as('user_topics', 't'), (join) => {
        join
          .on('t.channel_id', 'm.channel_id')
          .andOn('t.topic_key', 'm.topic_key')
          .andOnVal('t.user_id', userId)
      })
      .where('um.user_id', userId)
  }
}

function placedOf(row: PlacedRow): PlacedUserMessage {
  const policy = row.visibility_policy ?? TopicVisibility.none
  return {
    messageId: row.message_id,
    flags: row.flags,
    recipientId: row.recipient_id,
    senderId: row.sender_id,
    channelId: row.channel_id,
    topic: row.topic,
    topicKey: row.topic_key,
    isMuted:
      row.channel_id !== null &&
      (policy === TopicVisibility.muted ||
        (policy === TopicVisibility.none && Boolean(row.is_muted))),
  }
}
