export { IncomingMail, type MailEnvelope } from './incoming-mail.js'
export { incomingMailProblem, type IncomingMailOption } from './incoming-mail-options.js'
export type { MailRefusal, ReceivedMail } from './received-mail.js'
