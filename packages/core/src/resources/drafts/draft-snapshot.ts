import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { DraftService } from './draft-service.js'

/** How many drafts a snapshot has at most: the newest. */
const maxDrafts = 1000

@perServer()
export class DraftSection implements SnapshotSection {
  constructor(@inject(DraftService) private readonly drafts: DraftService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('drafts')) return {}
    return { drafts: await this.drafts.listNewest(context.scope, context.actor.userId, maxDrafts) }
  }
}
