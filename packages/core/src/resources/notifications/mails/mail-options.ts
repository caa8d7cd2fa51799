import type { InjectionToken } from 'tsyringe'

import { propertiesOf } from '../../../kernel/objects.js'
import type { MissedConversation } from './mail-template.js'

/** The texts of a mail about missed messages. */
export interface NotificationMailTexts {
  readonly subject: string
  /** Plain text with full URLs. */
  readonly text: string
  /** A document; without it, the mail has plain text only. */
  readonly html?: string
}

/** Mails about missed messages, which need the options `mail` and a fixed `baseUrl`. */
export interface NotificationMailsOption {
  /** Writes the mails in place of the chat's own texts. Names and messages in it are users' texts. */
  readonly template?: (
    conversation: MissedConversation,
  ) => NotificationMailTexts | Promise<NotificationMailTexts>
  /** Maximum number of mails to a user within an hour; later ones wait. @default 20 */
  readonly maxPerUserAndHour?: number
}

/** The mails about missed messages, as the options configure them. */
export interface NotificationMailRules {
  readonly isOn: boolean
  readonly template: NotificationMailsOption['template']
  readonly maxPerUserAndHour: number
}

export const NotificationMailRulesToken: InjectionToken<NotificationMailRules> =
  Symbol('NotificationMailRules')

/** Returns the problem with the option, as text after its name; undefined if valid. */
export function notificationMailsProblem(value: unknown): string | undefined {
  if (value === 'off') return undefined
  const { template, maxPerUserAndHour, ...others } = propertiesOf(value)
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(others).length === 0 &&
    (template === undefined || typeof template === 'function') &&
    (maxPerUserAndHour === undefined ||
      (Number.isSafeInteger(maxPerUserAndHour) && Number(maxPerUserAndHour) > 0))
  return isRight
    ? undefined
    : "must be 'off', or an object with template, a function, and maxPerUserAndHour, a whole number from 1"
}
