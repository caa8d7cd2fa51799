export { OutgoingWebhookDelivery } from './outgoing-webhook-delivery.js'
export { OutgoingWebhookStep } from './outgoing-webhook-step.js'
export {
  OutgoingWebhookRulesToken,
  type OutgoingWebhookOption,
  type OutgoingWebhookRules,
} from './outgoing-webhook-rules.js'
