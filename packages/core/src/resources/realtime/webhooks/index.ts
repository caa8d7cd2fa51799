export type { WebhookDelivery, WebhookDeliveryOf } from './webhook-delivery.js'
export {
  webhookSettings,
  webhooksProblem,
  WebhooksToken,
  type WebhookOption,
  type WebhookSettings,
} from './webhook-options.js'
export { verifyWebhook, type WebhookToVerify } from './webhook-signature.js'
export { Webhooks } from './webhooks.js'
