export { alertWordsChanged } from './alert-word-events.js'
export { AlertWordIndexes } from './alert-word-indexes.js'
export { addAlertWords, getAlertWords, removeAlertWords } from './alert-word-operations.js'
export { AlertWordSnapshot } from './alert-word-snapshot.js'
