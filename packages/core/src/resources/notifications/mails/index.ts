import { defineResource } from '../../../resource-definition/resource.js'
import { MailDelivery } from './mail-delivery.js'

export { MailLinks } from './mail-links.js'
export {
  notificationMailsProblem,
  NotificationMailRulesToken,
  type NotificationMailRules,
  type NotificationMailsOption,
  type NotificationMailTexts,
} from './mail-options.js'
export { MailQueue, type MailDecision } from './mail-queue.js'
export type { MissedConversation, MissedMessage } from './mail-template.js'
export { mailTrigger } from './mail-trigger.js'

export const notificationMails = defineResource({
  backgroundWork: [MailDelivery],
})
