import { defineResource } from '../../../resource-definition/resource.js'
import { sendJsonMessage, sendSlackMessage } from './incoming-webhook-operations.js'

export const incomingWebhooks = defineResource({
  operations: [sendSlackMessage, sendJsonMessage],
})
