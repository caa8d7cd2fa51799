import { createHash } from 'node:crypto'

import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'

declare module '../../../storage/tables.js' {
  interface Tables {
    recipients: RecipientRow
    recipient_members: RecipientMemberRow
  }
}

/** The recipient of messages: a channel, or a set of users. */
export interface RecipientRow {
  id: number
  organization_id: number
  channel_id: number | null
  /** SHA-256 of the ascending ids of a direct conversation's participants, hexadecimal. */
  members_hash: string | null
}

export interface RecipientMemberRow {
  organization_id: number
  recipient_id: number
  user_id: number
}

/** The direct conversations: one per set of participants. */
@perServer()
export class ConversationRepository {
  async find(scope: OrganizationScope, userIds: readonly number[]): Promise<number | undefined> {
    const row = await scope
      .query('recipients')
      .where({ members_hash: membersHash(userIds) })
      .first<{ id: number } | undefined>('id')
    return row?.id
  }

  async insert(tx: Transaction, userIds: readonly number[]): Promise<number> {
    const id = await tx.insert('recipients', {
      channel_id: null,
      members_hash: membersHash(userIds),
    })
    await tx.insert(
      'recipient_members',
      userIds.map((user_id) => ({ recipient_id: id, user_id })),
    )
    return id
  }

  /** Inserts conversations that do not exist yet. @returns their ids, in the same order. */
  async insertMany(tx: Transaction, groups: readonly (readonly number[])[]): Promise<number[]> {
    if (groups.length === 0) return []
    const hashes = groups.map(membersHash)
    await tx.insert(
      'recipients',
      hashes.map((members_hash) => ({ channel_id: null, members_hash })),
    )
    const rows = await tx
      .query('recipients')
      .whereIn('members_hash', hashes)
      .select<{ id: number; members_hash: string }[]>('id', 'members_hash')
    const byHash = new Map(rows.map((row) => [row.members_hash, row.id]))
    const ids = hashes.map((hash) => byHash.get(hash) as number)
    await tx.insert(
      'recipient_members',
      groups.flatMap((userIds, index) =>
        userIds.map((user_id) => ({ recipient_id: ids[index] as number, user_id })),
      ),
    )
    return ids
  }

  async findOrInsert(tx: Transaction, userIds: readonly number[]): Promise<number> {
    const known = await this.find(tx, userIds)
    if (known !== undefined) return known
    try {
      return await this.insert(tx, userIds)
    } catch (error) {
      // Another participant has just sent the first message of the conversation.
      const existing = tx.dialect.isUniqueViolation(error)
        ? await this.find(tx, userIds)
        : undefined
      if (existing === undefined) throw error
      return existing
    }
  }

  /**
   * The conversations of several sets of users, in the same order; missing ones are inserted. The
   * number of statements does not depend on the number of sets.
   */
  async findOrInsertMany(tx: Transaction, sets: readonly (readonly number[])[]): Promise<number[]> {
    const byHash = new Map(sets.map((userIds) => [membersHash(userIds), userIds]))
    for (;;) {
      const known = await this.#findByHash(tx, [...byHash.keys()])
      const missing = [...byHash].filter(([hash]) => !known.has(hash))
      if (missing.length === 0) {
        return sets.map((userIds) => known.get(membersHash(userIds)) as number)
      }
      try {
        await this.#insertMany(tx, missing)
      } catch (error) {
        // Another participant has just sent the first message of one of the conversations.
        if (!tx.dialect.isUniqueViolation(error)) throw error
      }
    }
  }

  async #insertMany(
    tx: Transaction,
    sets: readonly (readonly [hash: string, userIds: readonly number[]])[],
  ): Promise<void> {
    await tx.insert(
      'recipients',
      sets.map(([members_hash]) => ({ channel_id: null, members_hash })),
    )
    const made = await this.#findByHash(
      tx,
      sets.map(([hash]) => hash),
    )
    await tx.insert(
      'recipient_members',
      sets.flatMap(([hash, userIds]) =>
        userIds.map((user_id) => ({ recipient_id: made.get(hash) as number, user_id })),
      ),
    )
  }

  async #findByHash(
    scope: OrganizationScope,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await scope
      .query('recipients')
      .whereIn('members_hash', [...hashes])
      .select<{ id: number; members_hash: string }[]>('id', 'members_hash')
    return new Map(rows.map((row) => [row.members_hash, row.id]))
  }

  /**
   * The user's direct conversations with their newest messages that the user received, newest
   * first. Scans conversations rather than messages, whose number is unbounded.
   */
  async listRecent(
    scope: OrganizationScope,
    userId: number,
    limit: number,
  ): Promise<{ recipientId: number; newestMessageId: number }[]> {
    const rows = await scope.raw<{ recipient_id: number; newest_id: number }>(
      `SELECT * FROM (
         SELECT own.recipient_id, (
           SELECT m.id FROM ${scope.table('messages')} m
           ${scope.dialect.orderedJoin} ${scope.table('user_messages')} um
             ON um.user_id = own.user_id AND um.message_id = m.id
           WHERE m.recipient_id = own.recipient_id
           ORDER BY m.id DESC LIMIT 1
         ) AS newest_id
         FROM ${scope.table('recipient_members')} own
         WHERE own.organization_id = ? AND own.user_id = ?
       ) recent
       WHERE newest_id IS NOT NULL ORDER BY newest_id DESC LIMIT ?`,
      [scope.organizationId, userId, limit],
    )
    return rows.map((row) => ({
      recipientId: row.recipient_id,
      newestMessageId: row.newest_id,
    }))
  }

  /** The participants of each conversation, ascending, by recipient id. */
  async members(
    scope: OrganizationScope,
    recipientIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const members = new Map<number, number[]>()
    if (recipientIds.length === 0) return members
    const rows = await scope
      .query('recipient_members')
      .whereIn('recipient_id', [...recipientIds])
      .orderBy('user_id')
      .select<RecipientMemberRow[]>('recipient_id', 'user_id')
    for (const { recipient_id, user_id } of rows) addTo(members, recipient_id, user_id)
    return members
  }
}

function membersHash(userIds: readonly number[]): string {
  const text = [...userIds].sort((a, b) => a - b).join(',')
  return createHash('sha256').update(text).digest('hex')
}
