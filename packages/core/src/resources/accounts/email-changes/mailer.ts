import { inject } from 'tsyringe'

import { ChatError } from '../../../errors/index.js'
import { abortedAfter, onAbort } from '../../../kernel/aborted-work.js'
import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { MailSenderToken, type Mail, type MailSender } from './mail.js'

/** A sender that takes longer counts as failed. */
const mailSeconds = 60

/** Sends email through the application's {@link MailSender}. */
@perServer()
export class Mailer {
  constructor(
    @inject(MailSenderToken) private readonly port: { readonly sender: MailSender | undefined },
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /** Whether the application has a mail sender. */
  get isConfigured(): boolean {
    return this.port.sender !== undefined
  }

  /** @throws {ChatError} `SERVICE_UNAVAILABLE` if the mail could not be sent. */
  async send(mail: Mail): Promise<void> {
    if (!(await this.trySend(mail))) throw new ChatError('SERVICE_UNAVAILABLE')
  }

  /** Sends mail whose failure is only logged. @returns whether it was accepted for delivery. */
  async trySend(mail: Mail): Promise<boolean> {
    if (this.port.sender === undefined) return false
    try {
      await this.port.sender.send(mail)
      return true
    } catch (error) {
      this.logger.error('A mail could not be sent', { err: error })
      return false
    }
  }

  /**
   * The same for background work.
   *
   * @returns false also if the sender takes longer than a minute, or the server stops.
   */
  async trySendInTime(mail: Mail, stopping: AbortSignal): Promise<boolean> {
    return abortedAfter(this.clock, mailSeconds * 1000, stopping, async (signal) => {
      if (signal.aborted) return false
      const aborted = new Promise<false>((resolve) => onAbort(signal, () => resolve(false)))
      return Promise.race([this.trySend(mail), aborted])
    })
  }
}
