import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { SavedSnippet } from './saved-snippet-schemas.js'
import { SavedSnippetService } from './saved-snippet-service.js'

export const savedSnippetSnapshot = defineSnapshot({
  keys: { saved_snippets: Type.Array(SavedSnippet) },
  fetchType: 'saved_snippets',
  service: SavedSnippetService,
  async load(snippets, context) {
    return { saved_snippets: await snippets.list(context.actor, context.scope) }
  },
})
