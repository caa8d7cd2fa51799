import { defineResource } from '../../../resource-definition/resource.js'
import { submessageAdded } from './submessage-events.js'
import { submessageFile } from './submessage-file-section.js'
import { addSubmessage } from './submessage-operations.js'

export { SubmessageDecoration } from './submessage-decoration.js'
export { SubmessageRepository } from './submessage-repository.js'

export const submessages = defineResource({
  operations: [addSubmessage],
  events: [submessageAdded],
  fileSection: submessageFile,
})
