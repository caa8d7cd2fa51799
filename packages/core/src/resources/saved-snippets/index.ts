export {
  savedSnippetAdded,
  savedSnippetRemoved,
  savedSnippetUpdated,
} from './saved-snippet-events.js'
export {
  createSavedSnippet,
  deleteSavedSnippet,
  editSavedSnippet,
  getSavedSnippets,
} from './saved-snippet-operations.js'
export { SavedSnippetSection } from './saved-snippet-snapshot.js'
