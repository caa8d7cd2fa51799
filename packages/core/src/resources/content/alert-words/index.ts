import { defineResource } from '../../../resource-definition/resource.js'
import { alertWordsChanged } from './alert-word-events.js'
import { alertWordFile } from './alert-word-file-section.js'
import { addAlertWords, getAlertWords, removeAlertWords } from './alert-word-operations.js'
import { alertWordSnapshot } from './alert-word-snapshot.js'

export { AlertWordIndexes } from './alert-word-indexes.js'

export const alertWords = defineResource({
  operations: [getAlertWords, addAlertWords, removeAlertWords],
  events: [alertWordsChanged],
  snapshot: alertWordSnapshot,
  fileSection: alertWordFile,
})
