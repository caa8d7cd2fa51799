export { NotifiedMessageStep } from './notified-message-step.js'
export { PushDelivery } from './push-delivery.js'
export { pushNotificationOperations } from './push-notification-operations.js'
