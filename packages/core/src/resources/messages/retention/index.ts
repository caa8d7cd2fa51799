import { defineResource } from '../../../resource-definition/resource.js'
import { MessageRetention } from './message-retention.js'

export { BatchDeletion } from './batch-deletion.js'

export const messageRetention = defineResource({
  backgroundWork: [MessageRetention],
})
