import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { SavedSnippet } from './saved-snippet-schemas.js'

export const savedSnippetAdded = defineEvent({
  type: 'saved_snippets',
  op: 'add',
  summary: 'A snippet was saved. Sent to its owner.',
  payload: Type.Object({ saved_snippet: SavedSnippet }),
})

export const savedSnippetUpdated = defineEvent({
  type: 'saved_snippets',
  op: 'update',
  summary: 'A saved snippet was edited. Sent to its owner.',
  payload: Type.Object({ saved_snippet: SavedSnippet }),
})

export const savedSnippetRemoved = defineEvent({
  type: 'saved_snippets',
  op: 'remove',
  summary: 'A saved snippet was deleted. Sent to its owner.',
  payload: Type.Object({ saved_snippet_id: Type.Integer() }),
})
