export { SubmessageDecoration } from './submessage-decoration.js'
export { submessageAdded } from './submessage-events.js'
export { addSubmessage } from './submessage-operations.js'
export { SubmessageRepository } from './submessage-repository.js'
