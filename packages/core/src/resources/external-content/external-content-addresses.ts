import { createHmac, timingSafeEqual } from 'node:crypto'

import { randomToken } from '../../kernel/random.js'
import type { ServerSecretRepository } from '../credentials/index.js'

/** Longer addresses have no preview: their addresses here would not fit into every client's line. */
const maxUrlBytes = 2000

/**
 * Signs the addresses at which the server shows content of other hosts. Without a signature
 * everyone could have the server load what they like.
 */
export class ExternalContentAddresses {
  #key: Buffer | undefined

  constructor(
    private readonly secrets: ServerSecretRepository,
    private readonly rules: { readonly isOn: boolean },
  ) {}

  /**
   * Reads or makes the key. It is kept for ever, and follows from no other secret: the addresses
   * stand in stored messages.
   */
  async load(): Promise<void> {
    if (!this.rules.isOn) return
    const key = await this.secrets.findOrInsert('external_content', randomToken(32))
    this.#key = Buffer.from(key, 'base64url')
  }

  /**
   * Where the server shows what is at `url`, relative to the organization's address.
   *
   * @returns undefined where it does not.
   */
  readonly toProxyUrl = (url: string): string | undefined => {
    if (!this.rules.isOn || Buffer.byteLength(url) > maxUrlBytes) return undefined
    const hex = Buffer.from(url, 'utf8').toString('hex')
    return `/external_content/${this.#sign(url).toString('hex')}/${hex}`
  }

  /** The URL that the parts of such an address stand for; undefined if they are not ours. */
  open(signature: string, hex: string): string | undefined {
    const isWellFormed = /^[0-9a-f]{40}$/.test(signature) && /^(?:[0-9a-f]{2})+$/.test(hex)
    if (!this.rules.isOn || !isWellFormed || hex.length > 2 * maxUrlBytes) return undefined
    const url = Buffer.from(hex, 'hex').toString('utf8')
    return timingSafeEqual(Buffer.from(signature, 'hex'), this.#sign(url)) ? url : undefined
  }

  #sign(url: string): Buffer {
    if (this.#key === undefined) throw new Error('Call start() before using the chat server')
    // Existing clients know addresses of this form: 40 digits.
    return createHmac('sha1', this.#key).update(url).digest()
  }
}
