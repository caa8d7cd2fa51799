import { timingSafeEqual } from 'node:crypto'

import { inject } from 'tsyringe'

import { systemBots } from '../../../domain/users/system-bots.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import { Database } from '../../../storage/index.js'
import { UserRepository, type UserRow } from '../users/index.js'
import { MailSignatures } from './mail-signatures.js'

/** RFC 4648 in lower case: mail servers may change the case of a local part. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Encodes bytes in base 32, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0]
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((value >>> bits) & 31)
    }
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet.charAt((value << (5 - bits)) & 31)
}

/** The bytes of a text in base 32; undefined if it is not what {@link toBase32} returns. */
export function fromBase32(text: string): Buffer | undefined {
  const bytes: number[] = []
  let [value, bits] = [0, 0]
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) return undefined
    value = (value << 5) | digit
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(value >>> bits)
    value &= (1 << bits) - 1
  }
  const decoded = Buffer.from(bytes)
  return toBase32(decoded) === text ? decoded : undefined
}

/** Mail to the address is posted in a channel. */
export interface ChannelMailTarget {
  readonly kind: 'channel'
  readonly organizationId: number
  readonly channelId: number
  /** The user who asked for the address. */
  readonly creatorId: number
  /** The sender of the messages: the creator, a bot of theirs, or the e-mail gateway. */
  readonly senderId: number
}

/** Mail to the address is posted as a reply of a user, in the conversation of a message. */
export interface ReplyMailTarget {
  readonly kind: 'reply'
  readonly organizationId: number
  readonly userId: number
  readonly messageId: number
}

export type IncomingMailTarget = ChannelMailTarget | ReplyMailTarget

interface OpenedAddress {
  readonly target: IncomingMailTarget
  /** The words after the token, such as `show-sender`. */
  readonly options: ReadonlySet<string>
}

/** The longest local part of an address (RFC 5321). */
const maxLocalPartLength = 64
/** The longest address that is looked at: local parts may be longer by the options. */
const maxAddressLength = 320
const macBytes = 16
const kinds = { channel: 1, reply: 2 } as const

/**
 * The addresses at which the chat receives mail. Each contains its purpose, and a signature that
 * depends on the API keys of the users whose permissions it uses: with a new API key, all earlier
 * addresses of a user are invalid.
 */
@perServer()
export class IncomingAddresses {
  constructor(
    @inject(MailSignatures) private readonly signatures: MailSignatures,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(Database) private readonly database: Database,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * @param label shown before the token, as far as there is space; ignored when mail arrives.
   * @param options words after the token.
   * @returns an empty text if the server receives no mail.
   */
  async addressOf(
    target: IncomingMailTarget,
    label = '',
    options: readonly string[] = [],
  ): Promise<string> {
    const domain = this.facts.incomingMail?.domain
    if (domain === undefined) return ''
    const payload = encode(target)
    const mac = await this.#mac(target, payload)
    if (mac === undefined) return ''
    const token = [toBase32(Buffer.concat([payload, mac])), ...options].join('.')
    const shown = slugOf(label, maxLocalPartLength - token.length - 1)
    return `${shown === '' ? '' : `${shown}.`}${token}@${domain}`
  }

  /** Whether an address has the domain at which the server receives mail. */
  isOwn(address: string): boolean {
    const domain = this.facts.incomingMail?.domain.toLowerCase()
    return domain !== undefined && address.toLowerCase().endsWith(`@${domain}`)
  }

  /** The purpose of an address; undefined if the address is invalid, or not valid any more. */
  async open(address: string): Promise<OpenedAddress | undefined> {
    if (address.length > maxAddressLength || !this.isOwn(address)) return undefined
    const words = address.slice(0, address.lastIndexOf('@')).toLowerCase().split(/[.+]/)
    for (const [index, word] of words.entries()) {
      const bytes = fromBase32(word)
      if (bytes === undefined || bytes.length <= macBytes) continue
      const payload = bytes.subarray(0, -macBytes)
      const target = decode(payload)
      if (target === undefined) continue
      const mac = await this.#mac(target, payload)
      if (mac === undefined || !timingSafeEqual(mac, bytes.subarray(-macBytes))) continue
      return { target, options: new Set(words.slice(index + 1)) }
    }
    return undefined
  }

  /** Undefined if a user does not exist. */
  async #mac(target: IncomingMailTarget, payload: Buffer): Promise<Buffer | undefined> {
    const keys: string[] = []
    for (const user of await this.#signers(target)) {
      if (user === undefined) return undefined
      keys.push(user.api_key_hash)
    }
    // A colon is not part of the payload of a link.
    const text = `address:${payload.toString('hex')}:${keys.join(':')}`
    return this.signatures.sign(text).subarray(0, macBytes)
  }

  /** The users whose API keys the signature depends on. */
  async #signers(target: IncomingMailTarget): Promise<(UserRow | undefined)[]> {
    const scope = this.database.read(target.organizationId)
    const ids =
      target.kind === 'reply'
        ? [target.userId]
        : [target.creatorId, target.senderId].filter((id) => id !== systemBots.emailGateway.id)
    return Promise.all([...new Set(ids)].map((id) => this.users.find(scope, id)))
  }
}

function encode(target: IncomingMailTarget): Buffer {
  const numbers =
    target.kind === 'reply'
      ? [target.organizationId, target.userId, target.messageId]
      : [
          target.organizationId,
          target.channelId,
          target.creatorId,
          target.senderId === systemBots.emailGateway.id ? 0 : target.senderId,
        ]
  return Buffer.from([kinds[target.kind], ...numbers.flatMap(varint)])
}

/** Undefined if the bytes are not what {@link encode} returns. */
function decode(bytes: Buffer): IncomingMailTarget | undefined {
  const numbers: number[] = []
  let [value, factor] = [0, 1]
  for (const byte of bytes.subarray(1)) {
    value += (byte & 127) * factor
    factor *= 128
    if (!Number.isSafeInteger(value)) return undefined
    if (byte >= 128) continue
    numbers.push(value)
    ;[value, factor] = [0, 1]
  }
  const [organizationId = 0, first = 0, second = 0, third] = numbers
  if (bytes[0] === kinds.reply && numbers.length === 3) {
    return { kind: 'reply', organizationId, userId: first, messageId: second }
  }
  if (bytes[0] !== kinds.channel || third === undefined || numbers.length !== 4) return undefined
  const senderId = third === 0 ? systemBots.emailGateway.id : third
  return { kind: 'channel', organizationId, channelId: first, creatorId: second, senderId }
}

/** LEB128: 7 bits in each byte, least significant ones first. */
function varint(number: number): number[] {
  const bytes: number[] = []
  let rest = number
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}

/** Letters and digits of ASCII, and hyphens between them. */
function slugOf(label: string, maxLength: number): string {
  const words =
    label
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, Math.max(maxLength, 0)).replace(/-$/, '')
}
