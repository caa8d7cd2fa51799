import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import {
  SavedSnippet,
  savedSnippetAdded,
  savedSnippetRemoved,
  savedSnippetUpdated,
} from './saved-snippet-events.js'
import { SavedSnippetService } from './saved-snippet-service.js'
import { savedSnippets as table } from './saved-snippets-table.js'

const Title = Type.String({
  trim: true,
  refuseBlank: true,
  maxLength: table.columns.title.maxLength,
})
const Content = Type.String({ trim: true, refuseBlank: true, maxLength: 10_000 })

const getSavedSnippets = defineOperation({
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

const createSavedSnippet = defineOperation({
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

const editSavedSnippet = defineCommand({
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
  errors: ['OBJECT_NOT_FOUND'],
  service: SavedSnippetService,
  handle: (snippets, { actor, params: { saved_snippet_id, ...changes } }) =>
    snippets.edit(actor, saved_snippet_id, changes),
})

const deleteSavedSnippet = defineCommand({
  id: 'delete-saved-snippet',
  summary: 'Delete one of your saved snippets.',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  access: 'user',
  isPersonal: true,
  params: { saved_snippet_id: Bounded.id() },
  errors: ['OBJECT_NOT_FOUND'],
  service: SavedSnippetService,
  handle: (snippets, { actor, params }) => snippets.delete(actor, params.saved_snippet_id),
})

const savedSnippetSnapshot = defineSnapshot({
  keys: { saved_snippets: Type.Array(SavedSnippet) },
  fetchType: 'saved_snippets',
  service: SavedSnippetService,
  async load(snippets, context) {
    return { saved_snippets: await snippets.list(context.actor, context.scope) }
  },
})

const FileSnippet = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    title: Type.String({ minLength: 1, maxLength: table.columns.title.maxLength }),
    content: Type.String({ minLength: 1, maxLength: 10_000 }),
    created_at_seconds: Type.Optional(FileSeconds),
  },
  closed,
)

const savedSnippetFile = defineFileSection({
  key: 'saved_snippets',
  summary: 'Saved snippets: texts that users can insert into messages.',
  item: FileSnippet,
  rowsOf: table,
  rows:
    ({ createdAtSeconds }) =>
    (item) => ({ created_at_seconds: createdAtSeconds, ...item }),
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      if (item.title.trim() === '') check.report(`${place}/title`, 'cannot be blank')
      if (item.content.trim() === '') check.report(`${place}/content`, 'cannot be blank')
    }
  },
})

export const savedSnippets = defineResource({
  operations: [getSavedSnippets, createSavedSnippet, editSavedSnippet, deleteSavedSnippet],
  events: [savedSnippetAdded, savedSnippetUpdated, savedSnippetRemoved],
  snapshot: savedSnippetSnapshot,
  fileSection: savedSnippetFile,
})
