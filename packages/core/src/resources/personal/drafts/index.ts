import { defineResource } from '../../../resource-definition/resource.js'
import { draftRemoved, draftsAdded, draftUpdated } from './draft-events.js'
import { draftFile } from './draft-file-section.js'
import { createDrafts, deleteDraft, editDraft, getDrafts } from './draft-operations.js'
import { draftSnapshot } from './draft-snapshot.js'

export { DraftService } from './draft-service.js'

export const drafts = defineResource({
  operations: [getDrafts, createDrafts, editDraft, deleteDraft],
  events: [draftsAdded, draftUpdated, draftRemoved],
  snapshot: draftSnapshot,
  fileSection: draftFile,
})
