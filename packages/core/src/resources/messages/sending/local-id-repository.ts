import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'

declare module '../../../storage/rows/tables.js' {
  interface Tables {
    message_local_ids: MessageLocalIdRow
  }
}

/** A message that was sent with a client's own id. */
export interface MessageLocalIdRow {
  organization_id: number
  /** The sender. */
  user_id: number
  /** SHA-256 of the sender, the queue and the client's id, hexadecimal. */
  local_id_hash: string
  /** It may be deleted by now. */
  message_id: number
  sent_at_seconds: number
}

@perServer()
export class LocalIdRepository {
  async list(scope: OrganizationScope, hashes: readonly string[]): Promise<MessageLocalIdRow[]> {
    return scope
      .query('message_local_ids')
      .whereIn('local_id_hash', [...hashes])
      .select('*')
  }

  async insert(
    tx: Transaction,
    rows: readonly Omit<MessageLocalIdRow, 'organization_id'>[],
  ): Promise<void> {
    await tx.insert('message_local_ids', rows)
  }

  async delete(tx: Transaction, hashes: readonly string[]): Promise<void> {
    await tx
      .query('message_local_ids')
      .whereIn('local_id_hash', [...hashes])
      .delete()
  }

  /** The oldest ones of those that were sent before a time. */
  async listSentBefore(
    scope: OrganizationScope,
    beforeSeconds: number,
    limit: number,
  ): Promise<string[]> {
    const rows = await scope
      .query('message_local_ids')
      .where('sent_at_seconds', '<', beforeSeconds)
      .orderBy('sent_at_seconds')
      .limit(limit)
      .select<Pick<MessageLocalIdRow, 'local_id_hash'>[]>('local_id_hash')
    return rows.map(({ local_id_hash }) => local_id_hash)
  }
}
