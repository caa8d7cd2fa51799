import { defineResource } from '../../../resource-definition/resource.js'
import { submessageAdded } from './submessage-events.js'
import { addSubmessage } from './submessage-operations.js'

export { SubmessageDecoration } from './submessage-decoration.js'
export { submessageFile } from './submessage-file-section.js'
export { SubmessageRepository } from './submessage-repository.js'

export const submessages = defineResource({
  operations: [addSubmessage],
  events: [submessageAdded],
})
