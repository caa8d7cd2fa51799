import type { InjectionToken } from 'tsyringe'

/** An email. */
export interface Mail {
  /** The address of the recipient. */
  readonly to: string
  readonly subject: string
  /** The whole content, plain text with full URLs. */
  readonly text: string
}

/** Sends email for the server; implemented by the application. */
export interface MailSender {
  /** Resolves once the mail is accepted for delivery; errors are logged. */
  send(mail: Mail): void | Promise<void>
}

/** The application's {@link MailSender}, if it has one. */
export const MailSenderToken: InjectionToken<{ readonly sender: MailSender | undefined }> =
  Symbol('MailSender')
