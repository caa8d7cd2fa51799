import type { Mail, MailSender } from '@parley/core'

/** A mail sender that only stores the mails. */
export class FakeMail implements MailSender {
  readonly sent: Mail[] = []
  /** Thrown instead of sending, if set. */
  failure: Error | undefined

  async send(mail: Mail): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    this.sent.push(mail)
  }

  /** The mails to an address, oldest first. */
  to(address: string): Mail[] {
    return this.sent.filter(({ to }) => to === address)
  }
}
