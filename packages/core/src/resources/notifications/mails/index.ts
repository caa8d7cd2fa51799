import { defineResource } from '../../../resource-definition/resource.js'
import { MailDelivery } from './mail-delivery.js'

export type { Digest, DigestChannel, DigestTopic } from './digest.js'
export { MailLinks } from './mail-links.js'
export {
  notificationMailsProblem,
  NotificationMailRulesToken,
  type NotificationMailRules,
  type NotificationMailsOption,
  type NotificationMailTexts,
} from './mail-options.js'
export { MailParts } from './mail-parts.js'
export { MailQueue, type MailDecision } from './mail-queue.js'
export type { MissedConversation, MissedMessage } from './mail-template.js'
export { mailTrigger } from './mail-trigger.js'
export {
  endHtml,
  endText,
  link,
  mailDocument,
  paragraph,
  quoteHtml,
  quoteText,
} from './mail-writing.js'

export const notificationMails = defineResource({
  backgroundWork: [MailDelivery],
})
