import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { Draft } from './draft-schemas.js'
import { DraftService } from './draft-service.js'

/** What the section adds to the response of `POST /register`. */
export const draftKeys = { drafts: Type.Array(Draft) }

/** The maximum number of drafts in a snapshot, which contains the newest. */
const maxDrafts = 1000

@perServer()
export class DraftSection implements SnapshotSection {
  constructor(@inject(DraftService) private readonly drafts: DraftService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('drafts')) return {}
    return { drafts: await this.drafts.listNewest(context.scope, context.actor.userId, maxDrafts) }
  }
}
