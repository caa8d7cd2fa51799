import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { submessages, type SubmessageRow } from './submessages-table.js'

@perServer()
export class SubmessageRepository {
  /** The number of submessages of a message, in total and of the user, and their size. */
  async size(
    tx: Transaction,
    messageId: number,
    senderId: number,
  ): Promise<{ readonly all: number; readonly own: number; readonly bytes: number }> {
    const [row] = await tx.raw<Record<'parts' | 'own' | 'bytes', number | string | null>>(
      `SELECT COUNT(*) AS parts, SUM(CASE WHEN sender_id = ? THEN 1 ELSE 0 END) AS own,
       SUM(OCTET_LENGTH(content) + OCTET_LENGTH(msg_type)) AS bytes
       FROM ?? WHERE organization_id = ? AND message_id = ?`,
      [senderId, tx.table('submessages'), tx.organizationId, messageId],
    )
    return { all: Number(row?.parts), own: Number(row?.own), bytes: Number(row?.bytes) }
  }

  async insertMany(
    tx: Transaction,
    rows: readonly Omit<SubmessageRow, 'id' | 'organization_id'>[],
  ): Promise<void> {
    await tx.rows(submessages).insertMany(rows)
  }
}
