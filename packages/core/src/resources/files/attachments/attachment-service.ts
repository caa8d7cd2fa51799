import { inject } from 'tsyringe'

import { thumbnailFormats } from '../../../domain/files/thumbnails.js'
import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork, type NewRow, type Transaction } from '../../../storage/index.js'
import { StoredFiles } from '../file-storage/index.js'
import {
  attachmentAdded,
  attachmentRemoved,
  attachmentOf,
  type Attachment,
} from './attachment-events.js'
import { AttachmentLinkRepository } from './attachment-link-repository.js'
import { AttachmentRepository } from './attachment-repository.js'
import { attachments, type AttachmentRow } from './attachments-table.js'

const mebibyte = 1024 * 1024

/** A file that has been written and becomes an attachment. */
export type NewAttachment = Omit<
  NewRow<AttachmentRow>,
  'id' | 'owner_id' | 'created_at_seconds' | 'unlinked_since_seconds'
>

/** Manages the uploaded files of users. */
@perServer()
export class AttachmentService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(AttachmentRepository) private readonly attachments: AttachmentRepository,
    @inject(AttachmentLinkRepository) private readonly links: AttachmentLinkRepository,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** The user's own files, oldest first, and the size of all files of the organization. */
  async listFor(actor: Actor): Promise<{ attachments: Attachment[]; upload_space_used: number }> {
    const scope = this.database.read(actor.organizationId)
    const rows = await scope.rows(attachments).list({ owner_id: actor.userId }, 'id')
    const ids = rows.map((row) => row.id)
    const messages = await this.attachments.listLinkingMessages(scope, ids)
    return {
      attachments: rows.map((row) => attachmentOf(row, messages)),
      upload_space_used: await this.attachments.spaceUsed(scope),
    }
  }

  /**
   * Creates an attachment of `actor` from a written file.
   *
   * @param fileKeys storage keys of the file and of the files derived from it.
   * @throws {ChatError} `REALM_UPLOAD_QUOTA` if it exceeds the organization's quota; `BAD_REQUEST`
   *   if it exceeds a quota of its owner.
   */
  async add(actor: Actor, file: NewAttachment, fileKeys: readonly string[]): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const upload_space_used = await this.attachments.addSpaceUsed(tx, file.size_bytes)
      if (upload_space_used > this.facts.uploadQuotaMebibytes * mebibyte) {
        throw new ChatError('REALM_UPLOAD_QUOTA')
      }
      await this.#requireUserQuota(tx, actor.userId, file.size_bytes)
      await this.files.keep(tx, fileKeys)
      const now = nowSeconds(this.clock)
      const row = {
        ...file,
        owner_id: actor.userId,
        created_at_seconds: now,
        unlinked_since_seconds: now,
      }
      const id = await tx.rows(attachments).insert(row)
      const stored = { ...row, id, organization_id: tx.organizationId }
      tx.emit(
        attachmentAdded(
          { userIds: [actor.userId] },
          { attachment: attachmentOf(stored, []), upload_space_used },
        ),
      )
    })
  }

  /**
   * Deletes a file. Links to it in messages stop working.
   *
   * @throws {ChatError} `BAD_REQUEST` if `actor` owns no such file.
   */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const row = await tx.rows(attachments).lock({ id })
      if (row === undefined || row.owner_id !== actor.userId) throw badRequest('ATTACHMENT_UNKNOWN')
      const upload_space_used = await this.#delete(tx, row)
      tx.emit(
        attachmentRemoved({ userIds: [actor.userId] }, { attachment: { id }, upload_space_used }),
      )
    })
  }

  /** Deletes a file to which nothing has linked since `sinceSeconds`, unless it is linked now. */
  async removeUnlinked(organizationId: number, id: number, sinceSeconds: number): Promise<void> {
    await this.unitOfWork.run(organizationId, async (tx) => {
      const row = await tx.rows(attachments).lock({ id })
      if (row?.unlinked_since_seconds == null || row.unlinked_since_seconds > sinceSeconds) return
      await this.#delete(tx, row)
    })
  }

  async #requireUserQuota(tx: Transaction, userId: number, sizeBytes: number): Promise<void> {
    const { count, unlinked, bytes } = await this.attachments.usageOf(tx, userId)
    const { userUploadQuotaMebibytes: quotaMebibytes } = this.facts
    if (bytes + sizeBytes > quotaMebibytes * mebibyte) {
      throw badRequest('UPLOAD_QUOTA_EXCEEDED', { limit: quotaMebibytes })
    }
    this.quotas.require('attachmentsPerUser', count + 1)
    this.quotas.require('unlinkedAttachmentsPerUser', unlinked + 1)
  }

  async #delete(tx: Transaction, row: AttachmentRow): Promise<number> {
    await this.links.deleteOfAttachment(tx, row.id)
    await tx.rows(attachments).delete({ id: row.id })
    await this.files.discard(tx, fileKeysOf(row))
    return this.attachments.addSpaceUsed(tx, -row.size_bytes)
  }
}

/** Storage key of the file itself. */
export function fileKeyOf(organizationId: number, folder: string): string {
  return `${organizationId}/uploads/${folder}`
}

/** Storage key of a smaller copy of an image. */
export function thumbnailKeyOf(organizationId: number, folder: string, format: string): string {
  return `${organizationId}/thumbnails/${folder}/${format}`
}

/** Storage keys of a file and of the files derived from it. */
export function fileKeysOf({
  organization_id,
  folder,
  image_width,
}: Pick<AttachmentRow, 'organization_id' | 'folder' | 'image_width'>): string[] {
  const file = fileKeyOf(organization_id, folder)
  if (image_width === null) return [file]
  const formats = thumbnailFormats.map(({ name }) => thumbnailKeyOf(organization_id, folder, name))
  return [file, ...formats]
}
