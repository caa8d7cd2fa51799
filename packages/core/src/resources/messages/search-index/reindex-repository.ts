import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  idList,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import type { MessageToReindexRow } from './messages-to-reindex-table.js'

/** The messages whose words in the index are not those of their content. */
@perServer()
export class ReindexRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** Notes that messages were changed. */
  async insert(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    if (messageIds.length === 0) return
    const rows = messageIds.map((id) => `(${tx.organizationId}, ${idList([id])}, FALSE, 1)`)
    const table = tx.table('messages_to_reindex')
    await tx.raw(
      `INSERT INTO ${table}
         (organization_id, message_id, is_cleared, changes)
       VALUES ${rows.join(', ')}
       ${tx.dialect.sql.onConflict('organization_id', 'message_id')} is_cleared = FALSE, changes = ${table}.changes + 1`,
      [],
    )
  }

  /** Notes that those of the messages whose words are just being replaced were changed again. */
  async renew(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await this.#rows(tx, messageIds).update({ is_cleared: false }).increment('changes')
  }

  /**
   * Locks the oldest ones.
   *
   * @param waits whether to wait for rows that other transactions have locked, and not leave them out.
   */
  async lockNext(
    scope: OrganizationScope,
    limit: number,
    waits: boolean,
  ): Promise<Pick<MessageToReindexRow, 'message_id' | 'is_cleared'>[]> {
    const query = this.#next(scope, limit).select('message_id', 'is_cleared')
    return waits ? scope.dialect.lockForUpdate(query) : scope.dialect.lockIfFree(query)
  }

  /** The ids of the oldest ones. */
  async listNext(scope: OrganizationScope, limit: number): Promise<number[]> {
    return this.#next(scope, limit).pluck('message_id')
  }

  /** The ids of the newest ones. */
  async listNewest(scope: OrganizationScope, limit: number): Promise<number[]> {
    return scope
      .query('messages_to_reindex')
      .orderBy('message_id', 'desc')
      .limit(limit)
      .pluck('message_id')
  }

  async setCleared(scope: OrganizationScope, messageIds: readonly number[]): Promise<void> {
    await this.#rows(scope, messageIds).update({ is_cleared: true })
  }

  async delete(scope: OrganizationScope, messageIds: readonly number[]): Promise<void> {
    if (messageIds.length > 0) await this.#rows(scope, messageIds).delete()
  }

  /** The organizations that have such messages. */
  async listOrganizations(): Promise<number[]> {
    return this.database
      .queryAll('messages_to_reindex')
      .distinct('organization_id')
      .pluck('organization_id')
  }

  #next(scope: OrganizationScope, limit: number) {
    return scope.query('messages_to_reindex').orderBy('message_id').limit(limit)
  }

  #rows(scope: OrganizationScope, messageIds: readonly number[]) {
    return scope.query('messages_to_reindex').whereRaw(`message_id IN (${idList(messageIds)})`)
  }
}
