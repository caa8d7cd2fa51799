export { draftRemoved, draftsAdded, draftUpdated } from './draft-events.js'
export { createDrafts, deleteDraft, editDraft, getDrafts } from './draft-operations.js'
export { DraftService } from './draft-service.js'
export { DraftSection } from './draft-snapshot.js'
