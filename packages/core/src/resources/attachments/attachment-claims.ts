import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import type { Transaction } from '../../storage/index.js'
import { attachmentUpdated } from './attachment-events.js'
import { AttachmentLinkRepository } from './attachment-link-repository.js'
import { AttachmentRepository } from './attachment-repository.js'
import { attachmentOf, type Attachment } from './attachment-schemas.js'

/** A message that links to attachments, or did. */
export interface LinkingMessageFacts {
  readonly id: number
  readonly sender_id: number
}

/**
 * Notes which messages link to which attachments: whoever sees a message may read its files. The
 * attachments given are always ones that the author of the text may read.
 */
@perServer()
export class AttachmentClaims {
  constructor(
    @inject(AttachmentRepository) private readonly attachments: AttachmentRepository,
    @inject(AttachmentLinkRepository) private readonly links: AttachmentLinkRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** Notes what a new message links to, and tells its sender. */
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
   * Notes what a message links to after an edit.
   *
   * @param hadLinks whether it linked to any attachment before.
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
    await this.links.deleteOfMessages(tx, [message.id], dropped)
    await this.links.renewLinked(tx, dropped, nowSeconds(this.clock))
    const rows = await this.attachments.listMany(tx, dropped)
    return rows
      .filter((row) => row.owner_id === message.sender_id && row.unlinked_since_seconds !== null)
      .map((row) => attachmentOf(row, []))
  }

  /** Forgets what deleted messages linked to. */
  async release(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const attachmentIds = await this.links.listOfMessages(tx, messageIds)
    if (attachmentIds.length === 0) return
    await this.links.deleteOfMessages(tx, messageIds, attachmentIds)
    await this.links.renewLinked(tx, attachmentIds, nowSeconds(this.clock))
  }

  /** Keeps what a scheduled message links to until it is sent; nobody else may read it for that. */
  async claimForScheduled(
    tx: Transaction,
    scheduledMessageId: number,
    attachmentIds: readonly number[],
  ): Promise<void> {
    if (attachmentIds.length === 0) return
    await this.links.insertForScheduled(tx, scheduledMessageId, attachmentIds)
    await this.links.renewLinked(tx, attachmentIds, nowSeconds(this.clock))
  }

  /** Forgets what a scheduled message linked to, before an edit or at its end. */
  async releaseScheduled(tx: Transaction, scheduledMessageId: number): Promise<void> {
    const attachmentIds = await this.links.listOfScheduled(tx, scheduledMessageId)
    if (attachmentIds.length === 0) return
    await this.links.deleteOfScheduled(tx, scheduledMessageId)
    await this.links.renewLinked(tx, attachmentIds, nowSeconds(this.clock))
  }

  async #objects(tx: Transaction, attachmentIds: readonly number[]): Promise<Attachment[]> {
    const rows = await this.attachments.listMany(tx, attachmentIds)
    const messages = await this.attachments.listLinkingMessages(tx, attachmentIds)
    return rows.map((row) => attachmentOf(row, messages))
  }
}
