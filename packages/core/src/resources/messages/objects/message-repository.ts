import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { receivedFlagsSql } from '../../channels/unwritten-messages/index.js'

/** The flags of a new message in the user messages of its recipients. */
export interface UserMessageFlags {
  readonly forEveryone: number
  /** Flags of single users, in addition to those of all. */
  readonly ofUsers: ReadonlyMap<number, number>
}

/** A message and its topic. */
export interface MessagePlace {
  readonly messageId: number
  readonly channelId: number
  readonly topicKey: string
}

@perServer()
export class MessageRepository {
  async find(scope: OrganizationScope, id: number): Promise<MessageRow | undefined> {
    return scope.query('messages').where({ id }).first<MessageRow | undefined>()
  }

  /** The active bots among the given users, and whether each one is subscribed to the channel. */
  async listBots(
    scope: OrganizationScope,
    channelId: number,
    userIds: readonly number[],
  ): Promise<{ id: number; botType: number | null; isSubscribed: boolean }[]> {
    const rows = await scope
      .queryAs('users', 'u')
      .leftJoin(scope.as('subscriptions', 's'), (join) => {
        join
          .on('s.user_id', 'u.id')
          .andOnVal('s.channel_id', channelId)
          .andOnVal('s.is_active', true)
      })
      .whereIn('u.id', [...userIds])
      .where({ 'u.is_bot': true, 'u.is_active': true })
      .orderBy('u.id')
      .select<
        {
          id: number
          bot_type: number | null
          receiver_id: number | null
        }[]
      >('u.id', 'u.bot_type', 's.user_id as receiver_id')
    return rows.map(({ id, bot_type, receiver_id }) => ({
      id,
      botType: bot_type,
      isSubscribed: receiver_id !== null,
    }))
  }

  /** Whether the topic has an earlier message; one that `readerId` received, if given. */
  async hasEarlier(
    scope: OrganizationScope,
    { messageId, channelId, topicKey }: MessagePlace,
    readerId?: number,
  ): Promise<boolean> {
    const query = scope
      .queryAs('messages', 'm')
      .where({ 'm.channel_id': channelId, 'm.topic_key': topicKey })
      .where('m.id', '<', messageId)
    if (readerId !== undefined) {
      void query.whereRaw(`${receivedFlagsSql(scope, readerId)} IS NOT NULL`)
    }
    return (await query.first<{ id: number } | undefined>('m.id')) !== undefined
  }

  /** Whether the conversation has messages. */
  async hasMessages(scope: OrganizationScope, recipientId: number): Promise<boolean> {
    const row = await scope
      .query('messages')
      .where({ recipient_id: recipientId })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }
}

/** SQL of each user's flags; users with the same mask share one case. */
export function flagsExpression(
  column: string,
  flags: UserMessageFlags,
): { sql: string; bindings: readonly unknown[] } {
  const byMask = new Map<number, number[]>()
  for (const [userId, mask] of flags.ofUsers) addTo(byMask, mask, userId)
  if (byMask.size === 0) return { sql: '?', bindings: [flags.forEveryone] }
  const cases: string[] = []
  const bindings: unknown[] = []
  for (const [mask, userIds] of byMask) {
    // Ids from the database, never strings from a client, are inlined without placeholders.
    cases.push(`WHEN ${column} IN (${idList(userIds)}) THEN ?`)
    bindings.push(mask | flags.forEveryone)
  }
  bindings.push(flags.forEveryone)
  return { sql: `CASE ${cases.join(' ')} ELSE ? END`, bindings }
}
