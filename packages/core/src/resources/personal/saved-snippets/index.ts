import { defineResource } from '../../../resource-definition/resource.js'
import {
  savedSnippetAdded,
  savedSnippetRemoved,
  savedSnippetUpdated,
} from './saved-snippet-events.js'
import { savedSnippetFile } from './saved-snippet-file-section.js'
import {
  createSavedSnippet,
  deleteSavedSnippet,
  editSavedSnippet,
  getSavedSnippets,
} from './saved-snippet-operations.js'
import { savedSnippetSnapshot } from './saved-snippet-snapshot.js'

export const savedSnippets = defineResource({
  operations: [getSavedSnippets, createSavedSnippet, editSavedSnippet, deleteSavedSnippet],
  events: [savedSnippetAdded, savedSnippetUpdated, savedSnippetRemoved],
  snapshot: savedSnippetSnapshot,
  fileSection: savedSnippetFile,
})
