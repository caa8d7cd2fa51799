import type { InjectionToken } from 'tsyringe'

import { propertiesOf } from '../../../kernel/objects.js'
import type { Digest } from './digest.js'
import type { MissedConversation } from './mail-template.js'

/** The texts of a mail about missed messages, or of a digest. */
export interface NotificationMailTexts {
  readonly subject: string
  /** Plain text with full URLs. */
  readonly text: string
  /** A document; without it, the mail has plain text only. */
  readonly html?: string
}

/** Mails about missed messages and digests, which need the options `mail` and a fixed `baseUrl`. */
export interface NotificationMailsOption {
  /** Writes the mails in place of the chat's own texts. Names and messages in it are users' texts. */
  readonly template?: (
    conversation: MissedConversation,
  ) => NotificationMailTexts | Promise<NotificationMailTexts>
  /** The same for digests. */
  readonly digestTemplate?: (
    digest: Digest,
  ) => NotificationMailTexts | Promise<NotificationMailTexts>
  /**
   * Maximum number of mails about missed messages to a user within an hour; later ones wait.
   *
   * @default 20
   */
  readonly maxPerUserAndHour?: number
}

/** The mails about missed messages and the digests, as the options configure them. */
export interface NotificationMailRules {
  readonly isOn: boolean
  readonly template: NotificationMailsOption['template']
  readonly digestTemplate: NotificationMailsOption['digestTemplate']
  readonly maxPerUserAndHour: number
}

export const NotificationMailRulesToken: InjectionToken<NotificationMailRules> =
  Symbol('NotificationMailRules')

/** Returns the problem with the option, as text after its name; undefined if valid. */
export function notificationMailsProblem(value: unknown): string | undefined {
  if (value === 'off') return undefined
  const { template, digestTemplate, maxPerUserAndHour, ...others } = propertiesOf(value)
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(others).length === 0 &&
    [template, digestTemplate].every((one) => one === undefined || typeof one === 'function') &&
    (maxPerUserAndHour === undefined ||
      (Number.isSafeInteger(maxPerUserAndHour) && Number(maxPerUserAndHour) > 0))
  return isRight
    ? undefined
    : "must be 'off', or an object with template and digestTemplate, functions, and maxPerUserAndHour, a whole number from 1"
}
