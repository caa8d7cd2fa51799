import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { SavedSnippet } from './saved-snippet-schemas.js'
import { SavedSnippetService } from './saved-snippet-service.js'
import { savedSnippets } from './saved-snippets-table.js'

const Title = Type.String({
  trim: true,
  refuseBlank: true,
  maxLength: savedSnippets.columns.title.maxLength,
})
const Content = Type.String({ trim: true, refuseBlank: true, maxLength: 10_000 })

export const getSavedSnippets = defineOperation({
  id: 'get-saved-snippets',
  summary: 'Get your saved snippets.',
  method: 'GET',
  path: '/saved_snippets',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object({ saved_snippets: Type.Array(SavedSnippet) }),
  errors: [],
  service: SavedSnippetService,
  async handle(snippets, { actor }) {
    return { saved_snippets: await snippets.list(actor) }
  },
})

export const createSavedSnippet = defineOperation({
  id: 'create-saved-snippet',
  summary: 'Save a snippet.',
  method: 'POST',
  path: '/saved_snippets',
  access: 'user',
  isPersonal: true,
  params: { title: Title, content: Content },
  response: Type.Object({ saved_snippet_id: Type.Integer() }),
  errors: [],
  service: SavedSnippetService,
  async handle(snippets, { actor, params }) {
    return { saved_snippet_id: await snippets.create(actor, params) }
  },
})

export const editSavedSnippet = defineOperation({
  id: 'edit-saved-snippet',
  summary: 'Edit the title or the content of one of your saved snippets.',
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  access: 'user',
  isPersonal: true,
  params: {
    saved_snippet_id: Bounded.id(),
    title: Type.Optional(Title),
    content: Type.Optional(Content),
  },
  response: Type.Object({}),
  errors: ['OBJECT_NOT_FOUND'],
  service: SavedSnippetService,
  async handle(snippets, { actor, params: { saved_snippet_id, ...changes } }) {
    await snippets.edit(actor, saved_snippet_id, changes)
    return {}
  },
})

export const deleteSavedSnippet = defineOperation({
  id: 'delete-saved-snippet',
  summary: 'Delete one of your saved snippets.',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  access: 'user',
  isPersonal: true,
  params: { saved_snippet_id: Bounded.id() },
  response: Type.Object({}),
  errors: ['OBJECT_NOT_FOUND'],
  service: SavedSnippetService,
  async handle(snippets, { actor, params }) {
    await snippets.delete(actor, params.saved_snippet_id)
    return {}
  },
})
