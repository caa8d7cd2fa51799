import type { InjectionToken } from 'tsyringe'

/** One mail. */
export interface Mail {
  /** The address of whom it is for. */
  readonly to: string
  readonly subject: string
  /** The whole content, plain text with addresses of pages spelt out. */
  readonly text: string
}

/** The application's way to send mail. */
export interface MailSender {
  /** Resolves once the mail is on its way; what it throws is logged. */
  send(mail: Mail): void | Promise<void>
}

/** The application's way to send mail, if it has one. */
export const MailSenderToken: InjectionToken<{ readonly sender: MailSender | undefined }> =
  Symbol('MailSender')
