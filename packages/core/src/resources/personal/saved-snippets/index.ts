export { savedSnippetEvents } from './saved-snippet-events.js'
export { savedSnippetFile } from './saved-snippet-file-section.js'
export { savedSnippetOperations } from './saved-snippet-operations.js'
export { SavedSnippetSection, savedSnippetKeys } from './saved-snippet-snapshot.js'
