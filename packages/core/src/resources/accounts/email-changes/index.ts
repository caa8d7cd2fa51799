export { emailChangeOperations } from './email-change-operations.js'
export { EmailChanges, type WantedEmailChange } from './email-changes.js'
export { MailSenderToken, type Mail, type MailSender } from './mail.js'
export { Mailer } from './mailer.js'
