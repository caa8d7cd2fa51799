import { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import { hasQueueSql, receivedOfMessagesSql, unwrittenSql } from '../unwritten-messages/index.js'
import type { UserMessageRow } from './user-messages-table.js'

/** Messages of one channel; or direct messages, without a channel. */
export interface PlacedMessages {
  readonly channelId: number | null
  readonly ids: readonly number[]
}

/** A user who has user messages in a topic. */
export interface TopicReceiver {
  readonly topic_key: string
  readonly user_id: number
}

/**
 * Finds the users who have received messages, for events about these. Of those whose user
 * messages are not written only the ones with an event queue count: the others get no events.
 */
@perServer()
export class MessageReceiverRepository {
  /** All user messages of the messages. */
  async list(
    scope: OrganizationScope,
    messages: PlacedMessages,
  ): Promise<Pick<UserMessageRow, 'user_id' | 'message_id' | 'flags'>[]> {
    return scope.listRawRows(
      `SELECT found.user_id, found.message_id, found.flags FROM (${received(scope, messages)}) found
       ORDER BY found.user_id, found.message_id`,
      [],
      ['user_id', 'message_id', 'flags'],
    )
  }

  /** The users who have received one of the messages, ascending. */
  async listIds(scope: OrganizationScope, messages: PlacedMessages): Promise<number[]> {
    const rows = await scope.listRawRows<{ user_id: number }>(
      `SELECT DISTINCT found.user_id FROM (${received(scope, messages)}) found ORDER BY found.user_id`,
      [],
      ['user_id'],
    )
    return rows.map(({ user_id }) => user_id)
  }

  /** Those of them who still receive the channel, by topic. */
  async listSubscribed(
    scope: OrganizationScope,
    messages: PlacedMessages,
  ): Promise<readonly TopicReceiver[]> {
    return scope.raw(
      `SELECT DISTINCT m.topic_key, found.user_id FROM (${received(scope, messages)}) found
       JOIN ?? m ON m.id = found.message_id
       JOIN ?? s ON s.user_id = found.user_id AND s.channel_id = ?
       WHERE s.organization_id = ? AND s.is_active = ? AND s.is_user_active = ?
       ORDER BY found.user_id`,
      [
        scope.table('messages'),
        scope.table('subscriptions'),
        messages.channelId,
        scope.organizationId,
        true,
        true,
      ],
    )
  }

  /** Active users among them, except guests, who are not subscribed to the channel, by topic. */
  async listOthers(
    scope: OrganizationScope,
    messages: PlacedMessages,
  ): Promise<readonly TopicReceiver[]> {
    return scope.raw(
      `SELECT DISTINCT m.topic_key, found.user_id FROM (${received(scope, messages, { areEnded: true })}) found
       JOIN ?? m ON m.id = found.message_id
       JOIN ?? u ON u.id = found.user_id
       LEFT JOIN ?? s ON s.user_id = found.user_id AND s.channel_id = ? AND s.is_active = ?
       WHERE u.organization_id = ? AND u.is_active = ? AND u.role <> ? AND s.user_id IS NULL
       ORDER BY found.user_id`,
      [
        scope.table('messages'),
        scope.table('users'),
        scope.table('subscriptions'),
        messages.channelId,
        true,
        scope.organizationId,
        true,
        Role.guest,
      ],
    )
  }
}

/**
 * SQL of the user messages of messages, written or not.
 *
 * @param areEnded whether, of the latter, those of users who still receive the channel are left out.
 */
function received(
  scope: OrganizationScope,
  { channelId, ids }: PlacedMessages,
  { areEnded = false } = {},
): string {
  if (channelId === null) return receivedOfMessagesSql(scope, ids)
  const where = `channel_id IN (${idList([channelId])}) AND ${hasQueueSql(scope)}`
  const unwritten = unwrittenSql(scope, { where, areEnded }, `m.id IN (${idList(ids)})`)
  return receivedOfMessagesSql(scope, ids, unwritten)
}
