import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import { attachmentUpdated, attachmentOf, type Attachment } from './attachment-events.js'
import { AttachmentLinkRepository } from './attachment-link-repository.js'
import { AttachmentRepository } from './attachment-repository.js'
import { attachmentMessages, attachmentSchedules, attachments } from './attachments-table.js'

/** A message that links to attachments, or has linked to some. */
export interface LinkingMessageFacts {
  readonly id: number
  readonly sender_id: number
}

/**
 * Stores which messages link to which attachments: users who can see a message may read its files.
 * The attachments passed in must be ones that the author of the text may read.
 */
@perServer()
export class AttachmentClaims {
  constructor(
    @inject(AttachmentRepository) private readonly attachments: AttachmentRepository,
    @inject(AttachmentLinkRepository) private readonly links: AttachmentLinkRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** Stores the links of a new message, and sends an event for each attachment to its sender. */
  async claim(
    tx: Transaction,
    message: LinkingMessageFacts,
    attachmentIds: readonly number[],
  ): Promise<void> {
    if (attachmentIds.length === 0) return
    await this.links.insertForMessage(tx, message.id, attachmentIds)
    await this.links.renewLinked(tx, attachmentIds, nowSeconds(this.clock))
    const upload_space_used = await this.attachments.spaceUsed(tx)
    for (const attachment of await this.#objects(tx, attachmentIds)) {
      tx.emit(
        attachmentUpdated({ userIds: [message.sender_id] }, { attachment, upload_space_used }),
      )
    }
  }

  /**
   * Updates the stored links after a message was edited.
   *
   * @param hadLinks whether the message linked to any attachment before.
   * @returns the sender's attachments to which nothing links any more.
   */
  async reclaim(
    tx: Transaction,
    message: LinkingMessageFacts,
    attachmentIds: readonly number[],
    hadLinks: boolean,
  ): Promise<Attachment[]> {
    const before = hadLinks ? await this.links.listOfMessages(tx, [message.id]) : []
    const added = attachmentIds.filter((id) => !before.includes(id))
    const dropped = before.filter((id) => !attachmentIds.includes(id))
    await this.claim(tx, message, added)
    if (dropped.length === 0) return []
    await tx.rows(attachmentMessages).delete({ message_id: [message.id], attachment_id: dropped })
    await this.links.renewLinked(tx, dropped, nowSeconds(this.clock))
    const rows = await tx.rows(attachments).list({ id: dropped }, 'id')
    return rows
      .filter((row) => row.owner_id === message.sender_id && row.unlinked_since_seconds !== null)
      .map((row) => attachmentOf(row, []))
  }

  /** Deletes the links of deleted messages. */
  async release(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const attachmentIds = await this.links.listOfMessages(tx, messageIds)
    if (attachmentIds.length === 0) return
    await tx
      .rows(attachmentMessages)
      .delete({ message_id: messageIds, attachment_id: attachmentIds })
    await this.links.renewLinked(tx, attachmentIds, nowSeconds(this.clock))
  }

  /**
   * Stores the links of a scheduled message, which keeps its files until it is sent. They do not
   * let other users read the files.
   */
  async claimForScheduled(
    tx: Transaction,
    scheduledMessageId: number,
    attachmentIds: readonly number[],
  ): Promise<void> {
    if (attachmentIds.length === 0) return
    await this.links.insertForScheduled(tx, scheduledMessageId, attachmentIds)
    await this.links.renewLinked(tx, attachmentIds, nowSeconds(this.clock))
  }

  /** Deletes the links of a scheduled message, before an edit or when it is removed. */
  async releaseScheduled(tx: Transaction, scheduledMessageId: number): Promise<void> {
    const attachmentIds = await this.links.listOfScheduled(tx, scheduledMessageId)
    if (attachmentIds.length === 0) return
    await tx.rows(attachmentSchedules).delete({ scheduled_message_id: scheduledMessageId })
    await this.links.renewLinked(tx, attachmentIds, nowSeconds(this.clock))
  }

  async #objects(tx: Transaction, attachmentIds: readonly number[]): Promise<Attachment[]> {
    const rows = await tx.rows(attachments).list({ id: attachmentIds }, 'id')
    const messages = await this.attachments.listLinkingMessages(tx, attachmentIds)
    return rows.map((row) => attachmentOf(row, messages))
  }
}
