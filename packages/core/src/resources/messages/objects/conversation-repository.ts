import { createHash } from 'node:crypto'

import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { recipientMembers, type RecipientMemberRow, recipients } from './recipients-table.js'

type Participant = Pick<RecipientMemberRow, 'recipient_id' | 'user_id'>

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

  /**
   * The conversations of sets of users, in the same order; missing ones are inserted. The number of
   * statements does not depend on the number of sets.
   */
  async findOrInsertMany(tx: Transaction, sets: readonly (readonly number[])[]): Promise<number[]> {
    if (sets.length === 0) return []
    const byHash = new Map(sets.map((userIds) => [membersHash(userIds), userIds]))
    const known = await this.#findByHash(tx, [...byHash.keys()])
    const missing = [...byHash].filter(([hash]) => !known.has(hash))
    const ids = new Map([...known, ...(await this.#insertMissing(tx, missing))])
    return sets.map((userIds) =>
      present(ids.get(membersHash(userIds)), 'the conversation of each set'),
    )
  }

  /** @returns the ids of the conversations by hash. */
  async #insertMissing(
    tx: Transaction,
    sets: readonly (readonly [hash: string, userIds: readonly number[]])[],
  ): Promise<ReadonlyMap<string, number>> {
    if (sets.length === 0) return new Map()
    await tx
      .rows(recipients)
      .insertMany(sets.map(([members_hash]) => ({ channel_id: null, members_hash })))
    const made = await this.#findByHash(
      tx,
      sets.map(([hash]) => hash),
    )
    await tx.rows(recipientMembers).insertMany(
      sets.flatMap(([hash, userIds]) =>
        userIds.map((user_id) => ({
          recipient_id: present(made.get(hash), 'each new conversation'),
          user_id,
        })),
      ),
    )
    return made
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
    const isReceived = 'um.user_id = own.user_id AND um.message_id = m.id'
    const rows = await scope.listRawRows<{ recipient_id: number; newest_id: number }>(
      `SELECT * FROM (
         SELECT own.recipient_id, (
           SELECT m.id FROM ${scope.table('messages')} m
           ${scope.orderedJoin('user_messages', 'um', isReceived)}
           WHERE m.recipient_id = own.recipient_id
           ORDER BY m.id DESC LIMIT 1
         ) AS newest_id
         FROM ${scope.table('recipient_members')} own
         WHERE own.organization_id = ? AND own.user_id = ?
       ) recent
       WHERE newest_id IS NOT NULL ORDER BY newest_id DESC LIMIT ?`,
      [scope.organizationId, userId, limit],
      ['recipient_id', 'newest_id'],
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
    const query = scope
      .query('recipient_members')
      .whereIn('recipient_id', [...recipientIds])
      .orderBy('user_id')
    const rows = await scope.listRows<Participant>(query, ['recipient_id', 'user_id'])
    for (const { recipient_id, user_id } of rows) addTo(members, recipient_id, user_id)
    return members
  }
}

function membersHash(userIds: readonly number[]): string {
  const text = [...userIds].sort((a, b) => a - b).join(',')
  return createHash('sha256').update(text).digest('hex')
}
