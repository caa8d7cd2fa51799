import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { CustomEmojiMap } from './custom-emoji-schemas.js'
import { CustomEmojiService } from './custom-emoji-service.js'

/** What the section adds to the response of `POST /register`. */
export const customEmojiKeys = { realm_emoji: CustomEmojiMap }

/** `realm_emoji`. */
@perServer()
export class CustomEmojiSnapshot implements SnapshotSection {
  constructor(@inject(CustomEmojiService) private readonly emoji: CustomEmojiService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm_emoji')) return {}
    return { realm_emoji: await this.emoji.list(context.scope) }
  }
}
