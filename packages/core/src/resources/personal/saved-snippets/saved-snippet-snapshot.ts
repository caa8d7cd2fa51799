import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { SavedSnippet } from './saved-snippet-schemas.js'
import { SavedSnippetService } from './saved-snippet-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const savedSnippetKeys = { saved_snippets: Type.Array(SavedSnippet) }

@perServer()
export class SavedSnippetSection implements SnapshotSection {
  constructor(@inject(SavedSnippetService) private readonly snippets: SavedSnippetService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('saved_snippets')) return {}
    return { saved_snippets: await this.snippets.list(context.actor, context.scope) }
  }
}
