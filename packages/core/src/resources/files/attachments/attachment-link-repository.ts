import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { type AttachmentRow, attachmentMessages, attachmentSchedules } from './attachments-table.js'

/** Links from messages, sent or scheduled, to attachments. */
@perServer()
export class AttachmentLinkRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  async insertForMessage(
    tx: Transaction,
    messageId: number,
    attachmentIds: readonly number[],
  ): Promise<void> {
    const rows = attachmentIds.map((attachment_id) => ({ attachment_id, message_id: messageId }))
    await tx.rows(attachmentMessages).insertMany(rows)
  }

  async insertForScheduled(
    tx: Transaction,
    scheduledMessageId: number,
    attachmentIds: readonly number[],
  ): Promise<void> {
    const rows = attachmentIds.map((attachment_id) => ({
      attachment_id,
      scheduled_message_id: scheduledMessageId,
    }))
    await tx.rows(attachmentSchedules).insertMany(rows)
  }

  /** The attachments that any of the messages links to. */
  async listOfMessages(scope: OrganizationScope, messageIds: readonly number[]): Promise<number[]> {
    const rows = await scope
      .query('attachment_messages')
      .whereIn('message_id', [...messageIds])
      .distinct<{ attachment_id: number }[]>('attachment_id')
    return rows.map((row) => row.attachment_id)
  }

  async listOfScheduled(scope: OrganizationScope, scheduledMessageId: number): Promise<number[]> {
    const rows = await scope
      .query('attachment_schedules')
      .where({ scheduled_message_id: scheduledMessageId })
      .select<{ attachment_id: number }[]>('attachment_id')
    return rows.map((row) => row.attachment_id)
  }

  async deleteOfAttachment(tx: Transaction, attachmentId: number): Promise<void> {
    await tx.query('attachment_messages').where({ attachment_id: attachmentId }).delete()
    await tx.query('attachment_schedules').where({ attachment_id: attachmentId }).delete()
  }

  /**
   * Sets `unlinked_since_seconds` of each attachment: null if something links to it, otherwise the
   * value that it has, or `nowSeconds`.
   */
  async renewLinked(
    tx: Transaction,
    attachmentIds: readonly number[],
    nowSeconds: number,
  ): Promise<void> {
    if (attachmentIds.length === 0) return
    const places = attachmentIds.map(() => '?').join(',')
    await tx.raw(
      `UPDATE ?? SET unlinked_since_seconds = CASE
         WHEN EXISTS (SELECT 1 FROM ?? am WHERE am.attachment_id = ??.id)
           OR EXISTS (SELECT 1 FROM ?? sm WHERE sm.attachment_id = ??.id) THEN NULL
         ELSE COALESCE(unlinked_since_seconds, ?) END
       WHERE organization_id = ? AND id IN (${places})`,
      [
        tx.table('attachments'),
        tx.table('attachment_messages'),
        tx.table('attachments'),
        tx.table('attachment_schedules'),
        tx.table('attachments'),
        nowSeconds,
        tx.organizationId,
        ...attachmentIds,
      ],
    )
  }

  /**
   * Returns up to `limit` attachments to which nothing has linked since `seconds`; all
   * organizations.
   */
  async listUnlinkedSince(
    seconds: number,
    limit: number,
  ): Promise<Pick<AttachmentRow, 'id' | 'organization_id'>[]> {
    return this.database
      .queryAll('attachments')
      .where('unlinked_since_seconds', '<=', seconds)
      .orderBy('unlinked_since_seconds')
      .limit(limit)
      .select('id', 'organization_id')
  }
}
