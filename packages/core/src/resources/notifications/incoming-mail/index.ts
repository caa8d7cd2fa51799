import { isEmailAddress } from '../../../domain/users/email-address.js'
import { propertiesOf } from '../../../kernel/objects.js'

export { IncomingMail, type MailEnvelope } from './incoming-mail.js'
export type { MailRefusal, ReceivedMail } from './received-mail.js'

/** Mail that becomes messages; needs the packages `mailparser` and `htmlparser2`. */
export interface IncomingMailOption {
  /** The domain whose mail the application passes to `chat.receiveMail`, such as `in.chat.example`. */
  readonly domain: string
  /** Maximum size of a mail, in MiB, from 1 to 100. @default 10 */
  readonly maxMebibytes?: number
}

/** Returns the problem with the option, as text after its name; undefined if valid. */
export function incomingMailProblem(value: unknown): string | undefined {
  const { domain, maxMebibytes = 10, ...others } = propertiesOf(value)
  const isRight =
    typeof domain === 'string' &&
    isEmailAddress(`bot@${domain}`) &&
    typeof maxMebibytes === 'number' &&
    maxMebibytes >= 1 &&
    maxMebibytes <= 100 &&
    Object.keys(others).length === 0
  return isRight
    ? undefined
    : 'must be an object with domain, a domain of e-mail addresses, and maxMebibytes, a number from 1 to 100'
}
