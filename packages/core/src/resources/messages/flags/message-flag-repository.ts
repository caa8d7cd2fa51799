import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'

/** Every database accepts this many ids in a statement. */
const idsPerStatement = 20_000

/** A message's channel, and whether one user is subscribed to it. */
export interface MessageSubscription {
  readonly messageId: number
  /** Null for direct messages. */
  readonly channelId: number | null
  readonly isSubscribed: boolean
}

@perServer()
export class MessageFlagRepository {
  /** Returns the masks of the user's user messages, by message id, and locks them. */
  async lockUserMessages(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
  ): Promise<Map<number, number>> {
    const masks = new Map<number, number>()
    for (const ids of slices(messageIds)) {
      const query = tx
        .queryAs('user_messages', 'um')
        .where('um.user_id', userId)
        .whereRaw(among('um.message_id', ids))
      const rows = await tx.listRows<{ message_id: number; flags: number }>(
        tx.dialect.lockForUpdate(query),
        ['message_id', 'flags'],
      )
      for (const row of rows) masks.set(row.message_id, row.flags)
    }
    return masks
  }

  async listSubscriptions(
    scope: OrganizationScope,
    userId: number,
    messageIds: readonly number[],
  ): Promise<MessageSubscription[]> {
    const found: MessageSubscription[] = []
    for (const ids of slices(messageIds)) {
      const rows = await scope
        .queryAs('messages', 'm')
        .leftJoin(scope.as('subscriptions', 's'), (join) => {
          join
            .on('s.channel_id', 'm.channel_id')
            .andOnVal('s.user_id', userId)
            .andOnVal('s.is_active', true)
        })
        .whereRaw(among('m.id', ids))
        .select<
          {
            id: number
            channel_id: number | null
            user_id: number | null
          }[]
        >('m.id', 'm.channel_id', 's.user_id')
      for (const { id, channel_id, user_id } of rows) {
        found.push({ messageId: id, channelId: channel_id, isSubscribed: user_id !== null })
      }
    }
    return found
  }

  async setFlag(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    change: { readonly add?: number; readonly remove?: number },
  ): Promise<void> {
    for (const ids of slices(messageIds)) {
      await tx
        .query('user_messages')
        .where({ user_id: userId })
        .whereRaw(among('message_id', ids))
        .update({
          flags: tx.executor.raw('(flags | ?) & ~?', [change.add ?? 0, change.remove ?? 0]),
        })
    }
  }

  /** Inserts user messages for messages that the user has not received. */
  async insertUserMessages(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    flags: number,
  ): Promise<void> {
    for (const ids of slices(messageIds)) {
      await tx.raw(
        `INSERT INTO ?? (organization_id, user_id, message_id, flags)
         SELECT m.organization_id, ?, m.id, ? FROM ?? m
         WHERE m.organization_id = ? AND ${among('m.id', ids)}`,
        [tx.table('user_messages'), userId, flags, tx.table('messages'), tx.organizationId],
      )
    }
  }

  /** The newest messages that the user has starred, ascending. */
  async listStarredIds(scope: OrganizationScope, userId: number, limit: number): Promise<number[]> {
    const query = scope
      .queryAs('user_messages', 'um')
      .where('um.user_id', userId)
      .whereNotNull('um.starred_message_id')
      .orderBy('um.starred_message_id', 'desc')
      .limit(limit)
    const rows = await scope.listRows<{ id: number }>(query, { id: 'um.starred_message_id' })
    return rows.map(({ id }) => id).reverse()
  }

  /** The user's unread messages, newest first, optionally of one channel, topic or sender. */
  async listUnreadIds(
    scope: OrganizationScope,
    userId: number,
    place: {
      readonly channelId?: number | undefined
      readonly topicKey?: string | undefined
      readonly senderId?: number | undefined
    },
    limit?: number,
  ): Promise<number[]> {
    const query = scope
      .queryAs('user_messages', 'um')
      .where('um.user_id', userId)
      .whereNotNull('um.unread_message_id')
      .orderBy('um.unread_message_id', 'desc')
      .select<{ id: number }[]>('um.unread_message_id as id')
    if (limit !== undefined) query.limit(limit)
    const { channelId, topicKey, senderId } = place
    if (channelId !== undefined || senderId !== undefined) {
      query.join(scope.as('messages', 'm'), 'm.id', 'um.unread_message_id')
    }
    if (channelId !== undefined) query.where('m.channel_id', channelId)
    if (topicKey !== undefined) query.where('m.topic_key', topicKey)
    if (senderId !== undefined) query.where('m.sender_id', senderId)
    const rows = await query
    return rows.map(({ id }) => id)
  }

  /** Whether the user has a user message for any message of the topic. */
  async hasTopic(
    scope: OrganizationScope,
    userId: number,
    channelId: number,
    topicKey: string,
  ): Promise<boolean> {
    const row = await scope
      .queryAs('messages', 'm')
      .join(scope.as('user_messages', 'um'), (join) => {
        join.on('um.message_id', 'm.id').andOnVal('um.user_id', userId)
      })
      .where({ 'm.channel_id': channelId, 'm.topic_key': topicKey })
      .first<{ id: number } | undefined>('m.id')
    return row !== undefined
  }
}

/** Parts that fit into a statement. */
export function* slices(ids: readonly number[]): Iterable<readonly number[]> {
  for (let start = 0; start < ids.length; start += idsPerStatement) {
    yield ids.slice(start, start + idsPerStatement)
  }
}

/** Inlines checked integers, without placeholders; never strings from a client. */
export function among(column: string, ids: readonly number[]): string {
  const checked = ids.filter(Number.isSafeInteger)
  const [first, last] = [checked[0], checked.at(-1)]
  // Databases change a range faster than a list. Most users receive most messages of a period.
  const isRange = checked.every((id, index) => id === (first ?? 0) + index)
  return isRange && first !== undefined
    ? `${column} BETWEEN ${first} AND ${last}`
    : `${column} IN (${checked.join(',')})`
}
