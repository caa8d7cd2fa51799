import { inject } from 'tsyringe'

import { addTo } from '../../kernel/grouping.js'
import { perServer } from '../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../storage/index.js'
import type { MessageRow } from '../message-access/index.js'
import { MessageWordRepository } from '../message-words/index.js'

/** Which recipients' records of a new message carry which flags. */
export interface RecordFlags {
  readonly forEveryone: number
  /** Flags of single users, besides those of everyone. */
  readonly ofUsers: ReadonlyMap<number, number>
}

/** A message and the topic that it is in. */
export interface MessagePlace {
  readonly messageId: number
  readonly channelId: number
  readonly topicKey: string
}

@perServer()
export class MessageRepository {
  constructor(@inject(MessageWordRepository) private readonly words: MessageWordRepository) {}

  async find(scope: OrganizationScope, id: number): Promise<MessageRow | undefined> {
    return scope.query('messages').where({ id }).first<MessageRow | undefined>()
  }

  /** Ids of messages are in the order of the commits: clients ask for what is newer than an id. */
  async insert(tx: Transaction, row: NewRow<MessageRow>): Promise<number> {
    const id = await tx.insert('messages', row)
    await this.words.insert(tx, [{ ...row, id }])
    return id
  }

  /** Gives every receiver of the channel a record of the message, in one statement. */
  async insertChannelRecords(
    tx: Transaction,
    messageId: number,
    channelId: number,
    flags: RecordFlags,
  ): Promise<void> {
    const { sql, bindings } = flagsExpression('s.user_id', flags)
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT ?, s.user_id, ?, ${sql}
       FROM ?? s
       WHERE s.organization_id = ? AND s.channel_id = ? AND s.is_active = ? AND s.is_user_active = ?`,
      [
        tx.table('user_messages'),
        tx.organizationId,
        messageId,
        ...bindings,
        tx.table('subscriptions'),
        tx.organizationId,
        channelId,
        true,
        true,
      ],
    )
  }

  /** Gives every active participant of a direct conversation a record, in one statement. */
  async insertDirectRecords(
    tx: Transaction,
    messageId: number,
    recipientId: number,
    flags: RecordFlags,
  ): Promise<void> {
    const { sql, bindings } = flagsExpression('p.user_id', flags)
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT ?, p.user_id, ?, ${sql}
       FROM ?? p
       JOIN ?? u ON u.id = p.user_id AND u.is_active = ?
       WHERE p.organization_id = ? AND p.recipient_id = ?`,
      [
        tx.table('user_messages'),
        tx.organizationId,
        messageId,
        ...bindings,
        tx.table('recipient_members'),
        tx.table('users'),
        true,
        tx.organizationId,
        recipientId,
      ],
    )
  }

  /** Gives single users a record who are no regular receivers. */
  async insertRecords(
    tx: Transaction,
    messageId: number,
    users: readonly { readonly userId: number; readonly flags: number }[],
  ): Promise<void> {
    await tx.insert(
      'user_messages',
      users.map(({ userId, flags }) => ({ user_id: userId, message_id: messageId, flags })),
    )
  }

  /** The active bots among some users, and whether each one is subscribed to a channel. */
  async listBots(
    scope: OrganizationScope,
    channelId: number,
    userIds: readonly number[],
  ): Promise<{ id: number; botType: number | null; isSubscribed: boolean }[]> {
    const rows = (await scope
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
      .select('u.id', 'u.bot_type', 's.user_id as receiver_id')) as {
      id: number
      bot_type: number | null
      receiver_id: number | null
    }[]
    return rows.map(({ id, bot_type, receiver_id }) => ({
      id,
      botType: bot_type,
      isSubscribed: receiver_id !== null,
    }))
  }

  /** Whether the topic had a message before, one that `readerId` has a record of where given. */
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
      query.join(scope.as('user_messages', 'um'), (join) => {
        join.on('um.message_id', 'm.id').andOnVal('um.user_id', readerId)
      })
    }
    return ((await query.first('m.id')) as { id: number } | undefined) !== undefined
  }

  /** Whether the conversation has a message already. */
  async hasMessages(scope: OrganizationScope, recipientId: number): Promise<boolean> {
    const row = await scope
      .query('messages')
      .where({ recipient_id: recipientId })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  /** The newest message in the user's personal history. */
  async findNewestId(scope: OrganizationScope, userId: number): Promise<number | undefined> {
    const row = await scope
      .query('user_messages')
      .where({ user_id: userId })
      .orderBy('message_id', 'desc')
      .first<{ message_id: number } | undefined>('message_id')
    return row?.message_id
  }

  async flagsOf(
    scope: OrganizationScope,
    userId: number,
    messageId: number,
  ): Promise<number | undefined> {
    const row = await scope
      .query('user_messages')
      .where({ user_id: userId, message_id: messageId })
      .first<{ flags: number } | undefined>('flags')
    return row?.flags
  }
}

/** SQL that gives each user's flags; users are grouped, so its length grows with kinds, not people. */
export function flagsExpression(
  column: string,
  flags: RecordFlags,
): { sql: string; bindings: readonly unknown[] } {
  const byMask = new Map<number, number[]>()
  for (const [userId, mask] of flags.ofUsers) addTo(byMask, mask, userId)
  if (byMask.size === 0) return { sql: '?', bindings: [flags.forEveryone] }
  const cases: string[] = []
  const bindings: unknown[] = []
  for (const [mask, userIds] of byMask) {
    // Ids from the database, never texts from a client: they need no placeholder each.
    cases.push(`WHEN ${column} IN (${userIds.map(Number).join(',')}) THEN ?`)
    bindings.push(mask | flags.forEveryone)
  }
  bindings.push(flags.forEveryone)
  return { sql: `CASE ${cases.join(' ')} ELSE ? END`, bindings }
}
