export { ReactionDecoration } from './reaction-decoration.js'
export { reactionAdded, reactionRemoved } from './reaction-events.js'
export { reactionFile, type FileReaction } from './reaction-file-section.js'
export { addReaction, removeReaction } from './reaction-operations.js'
