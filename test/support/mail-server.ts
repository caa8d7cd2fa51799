import type { Mail, MailSender } from '@parley/core'
import { simpleParser, type ParsedMail } from 'mailparser'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'

import { until } from './waiting.js'

/** A real SMTP server, and a mail sender that submits mails to it as a product does. */
export class MailServer {
  readonly received: ParsedMail[] = []
  /** Whether it refuses recipients for the time being. */
  isRefusing = false
  /** Whether sending fails after the mail was accepted, as if the process had ended. */
  isForgetful = false
  /** The number of refused mails. */
  refused = 0
  /** The addresses of the accepted mails whose sending has failed. */
  readonly forgotten: string[] = []
  readonly #server: SMTPServer
  /** Until then, mails are accepted and their senders get no answer. */
  #answersHeld: Promise<void> | undefined
  #transport: ReturnType<typeof createTransport> | undefined

  constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onRcptTo: (_address, _session, done) => {
        if (!this.isRefusing) return done()
        this.refused += 1
        return done(new Error('Mailbox is unavailable for now'))
      },
      onData: (stream, _session, done) => {
        void this.#receive(stream, done)
      },
    })
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.server.address() as AddressInfo
    this.#transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  }

  async stop(): Promise<void> {
    this.#transport?.close()
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }

  /** The sender of the product. */
  get sender(): MailSender {
    return {
      send: async (mail: Mail) => {
        await this.#transport?.sendMail({ from: 'chat@product.example', ...mail })
        if (!this.isForgetful) return
        this.forgotten.push(mail.to)
        throw new Error('The answer is lost')
      },
    }
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port
  }

  /** Accepts mails without an answer. @returns a function that answers them, and all later ones. */
  holdAnswers(): () => void {
    let release = (): void => {}
    this.#answersHeld = new Promise((resolve) => {
      release = () => {
        this.#answersHeld = undefined
        resolve()
      }
    })
    return release
  }

  /** The mails to an address, oldest first; further copies are dropped, as mailboxes do. */
  to(address: string): ParsedMail[] {
    const copies = this.copies(address)
    const ids = copies.map(({ messageId }) => messageId)
    return copies.filter(({ messageId }, index) => ids.indexOf(messageId) === index)
  }

  /** Everything that was received for an address. */
  copies(address: string): ParsedMail[] {
    return this.received.filter(({ to }) => [to].flat().some((one) => one?.text === address))
  }

  /** Resolves when that many mails to an address have arrived. */
  async arrived(address: string, count = 1): Promise<ParsedMail> {
    return until(`mail ${count} to ${address}`, () => this.to(address)[count - 1], {
      instead: () => this.received.map(({ subject, to }) => [subject, to]),
    })
  }

  async #receive(stream: Readable, done: (error?: Error) => void): Promise<void> {
    try {
      this.received.push(await simpleParser(stream))
      await this.#answersHeld
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error('The mail is malformed'))
    }
  }
}
