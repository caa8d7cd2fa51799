import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, Transaction } from '../../../storage/index.js'
import type { ChannelRow } from '../../channels/channels/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { MessageWordRepository } from '../objects/index.js'

/** Users whose user messages for some messages all have the same flags. */
export interface FlaggedRecords {
  readonly messageIds: readonly number[]
  readonly userIds: readonly number[]
  /** Mask of `MessageFlag`. */
  readonly mask: number
}

/** Stores several messages at once; the number of statements does not depend on their number. */
@perServer()
export class BotMessageRepository {
  constructor(@inject(MessageWordRepository) private readonly words: MessageWordRepository) {}

  /** Returns the channels with a shared lock, so that their subscriptions cannot change. */
  async lockChannels(tx: Transaction, ids: readonly number[]): Promise<ChannelRow[]> {
    if (ids.length === 0) return []
    const query = tx
      .query('channels')
      .whereIn('id', [...ids])
      .orderBy('id')
      .select<ChannelRow[]>('*')
    return await tx.dialect.lockShared(query)
  }

  /** Inserts messages of one sender. @returns the ids, in the order of the rows. */
  async insert(
    tx: Transaction,
    senderId: number,
    rows: readonly Omit<NewRow<MessageRow>, 'sender_id'>[],
  ): Promise<number[]> {
    // As for all messages, ids are in the order of commits: no other transaction inserts messages
    // of the organization at the same time.
    const firstId = await tx.insert(
      'messages',
      rows.map((row) => ({ ...row, sender_id: senderId })),
    )
    const stored = await tx
      .query('messages')
      .where('id', '>=', firstId)
      .where({ sender_id: senderId })
      .orderBy('id')
      .select<{ id: number }[]>('id')
    const ids = stored.map(({ id }) => id)
    await this.words.insert(
      tx,
      rows.map((row, index) => ({ ...row, id: ids[index] as number })),
    )
    return ids
  }

  /** Inserts user messages for the receivers of the messages' channels. */
  async insertChannelRecords(
    tx: Transaction,
    messageIds: readonly number[],
    flags: readonly FlaggedRecords[],
  ): Promise<void> {
    if (messageIds.length === 0) return
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT m.organization_id, r.user_id, m.id, ${flagsOf('r.user_id', flags)}
       FROM ?? m
       JOIN ?? r ON r.channel_id = m.channel_id AND r.is_active = ? AND r.is_user_active = ?
       WHERE m.organization_id = ? AND m.id IN (${numbers(messageIds)})`,
      [
        tx.table('user_messages'),
        tx.table('messages'),
        tx.table('subscriptions'),
        true,
        true,
        tx.organizationId,
      ],
    )
  }

  /** Inserts user messages for the active participants of the messages' conversations. */
  async insertDirectRecords(
    tx: Transaction,
    messageIds: readonly number[],
    flags: readonly FlaggedRecords[],
  ): Promise<void> {
    if (messageIds.length === 0) return
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT m.organization_id, r.user_id, m.id, ${flagsOf('r.user_id', flags)}
       FROM ?? m
       JOIN ?? r ON r.recipient_id = m.recipient_id
       JOIN ?? u ON u.id = r.user_id AND u.is_active = ?
       WHERE m.organization_id = ? AND m.id IN (${numbers(messageIds)})`,
      [
        tx.table('user_messages'),
        tx.table('messages'),
        tx.table('recipient_members'),
        tx.table('users'),
        true,
        tx.organizationId,
      ],
    )
  }

  /** Sets the first messages of channels, by channel id. */
  async setFirstMessages(tx: Transaction, first: ReadonlyMap<number, number>): Promise<void> {
    if (first.size === 0) return
    const cases = [...first].map(([channelId, id]) => `WHEN ${channelId} THEN ${id}`).join(' ')
    await tx
      .query('channels')
      .whereIn('id', [...first.keys()])
      .update({ first_message_id: tx.executor.raw(`CASE id ${cases} END`) })
  }
}

/** SQL of the flags of each user message. Ids from the database need no placeholders. */
function flagsOf(userColumn: string, flags: readonly FlaggedRecords[]): string {
  if (flags.length === 0) return '0'
  const cases = flags.map(
    ({ messageIds, userIds, mask }) =>
      `WHEN m.id IN (${numbers(messageIds)}) AND ${userColumn} IN (${numbers(userIds)}) THEN ${mask}`,
  )
  return `CASE ${cases.join(' ')} ELSE 0 END`
}

function numbers(ids: readonly number[]): string {
  return ids.map(Number).join(',')
}
