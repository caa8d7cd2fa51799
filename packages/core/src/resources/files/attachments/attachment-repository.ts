import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { receivedFlagsSql } from '../../channels/unwritten-messages/index.js'

/** Messages of one channel, or direct ones, that link to an attachment. */
export interface LinkPlace {
  readonly attachment_id: number
  /** Null for direct messages. */
  readonly channel_id: number | null
  /** Whether the requesting user has received one of them. */
  readonly has_record: boolean
}

/** A message that links to an attachment. */
export interface LinkingMessage {
  readonly attachment_id: number
  readonly id: number
  readonly sent_at_seconds: number
}

@perServer()
export class AttachmentRepository {
  /** Returns the number and size of a user's uploads, and how many of them no message links to. */
  async usageOf(
    tx: Transaction,
    ownerId: number,
  ): Promise<{ readonly count: number; readonly unlinked: number; readonly bytes: number }> {
    const row = await tx
      .query('attachments')
      .where({ owner_id: ownerId })
      .count('* as files')
      .count('unlinked_since_seconds as unlinked')
      .sum('size_bytes as bytes')
      .first<Record<'files' | 'unlinked' | 'bytes', number | string | null>>()
    const { files, unlinked, bytes } = row
    return { count: Number(files), unlinked: Number(unlinked), bytes: Number(bytes) }
  }

  /** The messages that link to these attachments, oldest first. */
  async listLinkingMessages(
    scope: OrganizationScope,
    attachmentIds: readonly number[],
  ): Promise<LinkingMessage[]> {
    if (attachmentIds.length === 0) return []
    return scope
      .queryAs('attachment_messages', 'am')
      .join(scope.as('messages', 'm'), 'm.id', 'am.message_id')
      .whereIn('am.attachment_id', [...attachmentIds])
      .orderBy('m.id')
      .select<LinkingMessage[]>('am.attachment_id', 'm.id', 'm.sent_at_seconds')
  }

  /**
   * Returns where messages link to these attachments, and whether `userId` has received messages there.
   */
  async listPlaces(
    scope: OrganizationScope,
    attachmentIds: readonly number[],
    userId: number,
  ): Promise<LinkPlace[]> {
    if (attachmentIds.length === 0) return []
    return scope
      .queryAs('attachment_messages', 'am', { booleans: ['has_record'] })
      .join(scope.as('messages', 'm'), 'm.id', 'am.message_id')
      .whereIn('am.attachment_id', [...attachmentIds])
      .groupBy('am.attachment_id', 'm.channel_id')
      .select<LinkPlace[]>(
        'am.attachment_id',
        'm.channel_id',
        scope.executor.raw(
          `MAX(CASE WHEN ${receivedFlagsSql(scope, userId)} IS NULL THEN 0 ELSE 1 END) AS has_record`,
        ),
      )
  }

  /** The size of all uploads of the organization, in bytes. */
  async spaceUsed(scope: OrganizationScope): Promise<number> {
    const row = await scope.organization().first('upload_bytes')
    return row?.upload_bytes ?? 0
  }

  /**
   * Adds to the size of all uploads. Concurrent updates wait until `tx` ends.
   *
   * @returns the new size.
   */
  async addSpaceUsed(tx: Transaction, bytes: number): Promise<number> {
    const { dialect, executor, organizationId } = tx
    const table = tx.table('organizations')
    const size = await dialect.advanceCounter(
      executor,
      table,
      'upload_bytes',
      organizationId,
      bytes,
    )
    return present(size, 'the row of the organization')
  }
}
