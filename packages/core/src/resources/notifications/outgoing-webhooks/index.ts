import { defineResource } from '../../../resource-definition/resource.js'
import { OutgoingWebhookDelivery } from './outgoing-webhook-delivery.js'

export {
  OutgoingWebhookRulesToken,
  type OutgoingWebhookOption,
  type OutgoingWebhookRules,
} from './outgoing-webhook-rules.js'
export { OutgoingWebhookStep } from './outgoing-webhook-step.js'

export const outgoingWebhooks = defineResource({
  backgroundWork: [OutgoingWebhookDelivery],
})
