import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { StoredFiles } from '../file-storage/index.js'
import { AttachmentLinkRepository } from './attachment-link-repository.js'
import { AttachmentService } from './attachment-service.js'

/** How long a file is kept without a message that links to it. */
const maxUnlinkedSeconds = 5 * 7 * 24 * 60 * 60
const attachmentsPerBatch = 100

/**
 * Removes the files that no message links to, and the remains of removed ones. Needs no leases: each
 * removal checks in its transaction that the file is still unused, and can be repeated.
 */
@perServer()
export class AttachmentUpkeep implements BackgroundWork {
  readonly name = 'Removing unused files'
  readonly intervalMilliseconds = 10 * 60 * 1000

  constructor(
    @inject(AttachmentLinkRepository) private readonly links: AttachmentLinkRepository,
    @inject(AttachmentService) private readonly attachments: AttachmentService,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async round({ stopping }: Round): Promise<void> {
    const since = nowSeconds(this.clock) - maxUnlinkedSeconds
    for (;;) {
      const unlinked = await this.links.listUnlinkedSince(since, attachmentsPerBatch)
      for (const { organization_id, id } of unlinked) {
        if (stopping.aborted) return
        await this.attachments.removeUnlinked(organization_id, id, since)
      }
      if (unlinked.length < attachmentsPerBatch) break
    }
    await this.files.sweep(stopping)
  }
}
