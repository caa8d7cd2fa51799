import { defineResource } from '../../../resource-definition/resource.js'
import { playgroundsChanged } from './playground-events.js'
import { playgroundFile } from './playground-file-section.js'
import { addCodePlayground, removeCodePlayground } from './playground-operations.js'
import { playgroundSnapshot } from './playground-snapshot.js'

export const playgrounds = defineResource({
  operations: [addCodePlayground, removeCodePlayground],
  events: [playgroundsChanged],
  snapshot: playgroundSnapshot,
  fileSection: playgroundFile,
})
