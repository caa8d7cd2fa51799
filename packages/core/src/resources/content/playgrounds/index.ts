import { defineResource } from '../../../resource-definition/resource.js'
import { playgroundsChanged } from './playground-events.js'
import { addCodePlayground, removeCodePlayground } from './playground-operations.js'
import { playgroundSnapshot } from './playground-snapshot.js'

export { playgroundFile } from './playground-file-section.js'

export const playgrounds = defineResource({
  operations: [addCodePlayground, removeCodePlayground],
  events: [playgroundsChanged],
  snapshot: playgroundSnapshot,
})
