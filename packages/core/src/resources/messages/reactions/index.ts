import { defineResource } from '../../../resource-definition/resource.js'
import { reactionAdded, reactionRemoved } from './reaction-events.js'
import { reactionFile } from './reaction-file-section.js'
import { addReaction, removeReaction } from './reaction-operations.js'

export { ReactionDecoration } from './reaction-decoration.js'
export type { ReactionRow } from './reactions-table.js'
export { ReactionService } from './reaction-service.js'

export const reactions = defineResource({
  operations: [addReaction, removeReaction],
  events: [reactionAdded, reactionRemoved],
  fileSection: reactionFile,
})
