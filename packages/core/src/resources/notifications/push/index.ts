import { defineResource } from '../../../resource-definition/resource.js'
import { PushDelivery } from './push-delivery.js'
import { e2eeTestNotify, testNotify } from './push-notification-operations.js'

export { EditedMessageStep } from './edited-message-step.js'
export { EndedQueueStep } from './ended-queue-step.js'
export { NotifiedMessageStep } from './notified-message-step.js'
export { RecentActivityToken, type RecentActivity } from './recent-activity.js'

export const pushNotifications = defineResource({
  operations: [testNotify, e2eeTestNotify],
  backgroundWork: [PushDelivery],
})
