export { MailSenderToken, type Mail, type MailSender } from './mail.js'
export { Mailer } from './mailer.js'
