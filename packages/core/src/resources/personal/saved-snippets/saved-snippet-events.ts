import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

/** A text that its owner can insert into messages. */
export const SavedSnippet = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  content: Type.String({ description: 'Markdown.' }),
  date_created: Type.Integer({ description: 'UNIX seconds; never changes.' }),
})
export type SavedSnippet = Static<typeof SavedSnippet>

export const savedSnippetAdded = defineEvent({
  type: 'saved_snippets',
  op: 'add',
  decidesNothing: true,
  summary: 'A snippet was saved. Sent to its owner.',
  payload: Type.Object({ saved_snippet: SavedSnippet }),
})

export const savedSnippetUpdated = defineEvent({
  type: 'saved_snippets',
  op: 'update',
  decidesNothing: true,
  summary: 'A saved snippet was edited. Sent to its owner.',
  payload: Type.Object({ saved_snippet: SavedSnippet }),
})

export const savedSnippetRemoved = defineEvent({
  type: 'saved_snippets',
  op: 'remove',
  decidesNothing: true,
  summary: 'A saved snippet was deleted. Sent to its owner.',
  payload: Type.Object({ saved_snippet_id: Type.Integer() }),
})
