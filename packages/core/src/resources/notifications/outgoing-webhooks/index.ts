export { OutgoingWebhookDelivery } from './outgoing-webhook-delivery.js'
export {
  OutgoingWebhookRulesToken,
  type OutgoingWebhookOption,
  type OutgoingWebhookRules,
} from './outgoing-webhook-rules.js'
export { OutgoingWebhookStep } from './outgoing-webhook-step.js'
