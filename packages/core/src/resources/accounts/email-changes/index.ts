import { defineResource } from '../../../resource-definition/resource.js'
import { confirmEmailChange, showEmailChange } from './email-change-operations.js'

export { DeactivatedEmailChanges } from './deactivated-email-changes.js'
export { EmailChanges, type RequestedEmailChange } from './email-changes.js'
export { Mailer } from './mailer.js'
export { MailSenderToken, oneLine, writtenLines, type Mail, type MailSender } from './mail.js'

export const emailChanges = defineResource({
  operations: [showEmailChange, confirmEmailChange],
})
