import type { InjectionToken } from 'tsyringe'

/** An email. */
export interface Mail {
  /** The address of the recipient. */
  readonly to: string
  readonly subject: string
  /** The whole content, plain text with full URLs. */
  readonly text: string
  /** The same as a document, for mails about missed messages. */
  readonly html?: string
  /** `Message-ID`, in angle brackets; the same if the mail is sent again. */
  readonly messageId?: string
  /** `Reply-To`: where replies become messages, with the option `incomingMail`. */
  readonly replyTo?: string
  /** `In-Reply-To` and `References`, by which mail programs group the mails of a conversation. */
  readonly inReplyTo?: string
  readonly references?: string
  /** Further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends email for the server; implemented by the application. */
export interface MailSender {
  /** Resolves once the mail is accepted for delivery; errors are logged. */
  send(mail: Mail): void | Promise<void>
}

/** The application's {@link MailSender}, if it has one. */
export const MailSenderToken: InjectionToken<{ readonly sender: MailSender | undefined }> =
  Symbol('MailSender')

/** Names may contain anything; a line break in a subject would start another header. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

/** The text of a mail. */
export function writtenLines(...lines: readonly string[]): string {
  return [...lines, ''].join('\n')
}
