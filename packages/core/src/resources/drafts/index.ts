export { draftEvents } from './draft-events.js'
export { draftOperations } from './draft-operations.js'
export { DraftService } from './draft-service.js'
export { DraftSection } from './draft-snapshot.js'
