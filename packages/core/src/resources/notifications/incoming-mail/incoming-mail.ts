import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { ChatError } from '../../../errors/index.js'
import { BoundedWork } from '../../../kernel/bounded-work.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import { Database } from '../../../storage/index.js'
import { IncomingAddresses } from '../../people/mail-addresses/index.js'
import { UserDirectory } from '../../people/users/index.js'
import { ChannelMail } from './channel-mail.js'
import { requirePackages } from './load-packages.js'
import { type IncomingMailContent, parseMail } from './mail-parser.js'
import { MailRefused, type ReceivedMail } from './received-mail.js'
import { ReplyMail } from './reply-mail.js'

/** The `Message-ID` of the chat's own mails. */
const ownId = /<parley\./

/**
 * Whether a mail must not become a message because it could be part of a loop: automatic answers
 * (RFC 3834), bounces, and the chat's own mails. Notifications of programs are also marked as
 * automatic; many channels have addresses for them, and they never answer a mail.
 *
 * @param isReply whether the mail was sent to an address for replies, to which only people write.
 */
function isAutomatic({ headers, id }: IncomingMailContent, isReply: boolean): boolean {
  const values = (name: string) => headers(name).map((value) => value.toLowerCase())
  const first = (name: string) => (values(name)[0] ?? '').split(/[\s;(]/, 1)[0] ?? ''
  const precedence = first('precedence')
  const submitted = first('auto-submitted')
  return (
    [id ?? '', ...headers('resent-message-id'), ...headers('x-parley')].some((text) =>
      ownId.test(text),
    ) ||
    submitted === 'auto-replied' ||
    precedence === 'auto_reply' ||
    ['x-autoreply', 'x-autorespond', 'x-failed-recipients'].some((name) => first(name) !== '') ||
    values('return-path').includes('<>') ||
    first('content-type') === 'multipart/report' ||
    (isReply &&
      ((submitted !== '' && submitted !== 'no') || ['bulk', 'junk', 'list'].includes(precedence)))
  )
}

/** How a mail server has received a mail. */
export interface MailEnvelope {
  /**
   * The address to which the mail was sent (`RCPT TO`): the headers of a mail need not contain it.
   * @default the first address in the headers at which the chat receives mail
   */
  readonly recipient?: string
}

/** Counts a mail to the addresses of a user. @throws {ChatError} `RATE_LIMIT_HIT` */
type CountMail = (
  organizationId: number,
  user: { readonly userId: number; readonly botOwnerId: number | null },
) => Promise<void>

/** Mails that are processed at once, and others that wait; each takes several times its size. */
const work = { maxRunning: 2, maxWaiting: 20 }
const maxRecipients = 100

type Opened = NonNullable<Awaited<ReturnType<IncomingAddresses['open']>>>

/** Receives the mail that the application passes to the chat. */
@perServer()
export class IncomingMail {
  readonly #work = new BoundedWork(work)

  constructor(
    @inject(IncomingAddresses) private readonly addresses: IncomingAddresses,
    @inject(ChannelMail) private readonly channels: ChannelMail,
    @inject(ReplyMail) private readonly replies: ReplyMail,
    @inject(Database) private readonly database: Database,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** @throws {Error} if mail is to be received and a package for it is not installed. */
  async prepare(): Promise<void> {
    if (this.facts.incomingMail !== undefined) await requirePackages()
  }

  /**
   * @throws {ChatError} `SERVICE_UNAVAILABLE` or `RATE_LIMIT_HIT` if the mail must be sent again
   *   later.
   * @throws {TypeError} without the option `incomingMail`, or if the arguments are invalid.
   */
  async receive(
    raw: Uint8Array | string,
    envelope: MailEnvelope,
    count: CountMail,
  ): Promise<ReceivedMail> {
    const { incomingMail } = this.facts
    if (incomingMail === undefined) {
      throw new TypeError('chat.receiveMail needs the option incomingMail')
    }
    if (typeof raw !== 'string' && !(raw instanceof Uint8Array)) {
      throw new TypeError('chat.receiveMail: the mail must be a string or a Uint8Array')
    }
    const { recipient } = envelope
    if (recipient !== undefined && typeof recipient !== 'string') {
      throw new TypeError('chat.receiveMail: recipient must be a string')
    }
    try {
      if (raw.length > incomingMail.maxMailBytes) throw new MailRefused('too_large')
      const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw
      if (bytes.length > incomingMail.maxMailBytes) throw new MailRefused('too_large')
      const known = recipient === undefined ? undefined : await this.#open([recipient])
      if (this.#work.isFull) throw new ChatError('SERVICE_UNAVAILABLE')
      return await this.#work.run(() => this.#receive(bytes, known, count))
    } catch (error) {
      if (error instanceof MailRefused) return error.result
      // Errors that the sender can do nothing about are the caller's.
      const isFinal = error instanceof ChatError && error.status < 500 && error.status !== 429
      if (isFinal) return new MailRefused('not_allowed').result
      throw error
    }
  }

  async #receive(
    bytes: Uint8Array,
    known: Opened | undefined,
    count: CountMail,
  ): Promise<ReceivedMail> {
    const mail = await parseMail(bytes)
    const { target, options } = known ?? (await this.#open(mail.recipients))
    if (isAutomatic(mail, target.kind === 'reply')) throw new MailRefused('automatic')
    const userId = target.kind === 'reply' ? target.userId : target.creatorId
    const { organizationId } = target
    const user = await this.users.find(this.database.read(organizationId), userId)
    await count(organizationId, { userId, botOwnerId: user?.bot_owner_id ?? null })
    const mailId = idOf(mail, bytes)
    const messageId =
      target.kind === 'reply'
        ? await this.replies.post(target, mail, mailId)
        : await this.channels.post(target, mail, options, mailId)
    return { status: 'sent', messageId }
  }

  /** The first of the addresses that is valid. @throws {MailRefused} `unknown_address` */
  async #open(addresses: readonly string[]): Promise<Opened> {
    for (const address of addresses.slice(0, maxRecipients)) {
      const opened = await this.addresses.open(address.replaceAll(/[<>\s]/g, ''))
      if (opened !== undefined) return opened
    }
    throw new MailRefused('unknown_address')
  }
}

/** Identifies a mail that arrives more than once. */
function idOf({ id }: IncomingMailContent, bytes: Uint8Array): string {
  return createHash('sha256')
    .update(id ?? bytes)
    .digest('hex')
}
