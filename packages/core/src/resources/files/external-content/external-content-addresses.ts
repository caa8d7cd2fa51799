import { createHmac, timingSafeEqual } from 'node:crypto'

import type { ChatAddress } from '../../../kernel/chat-address.js'
import type { DataKey } from '../../people/credentials/index.js'

/**
 * Longer URLs have no preview: their addresses on this server would be too long for some clients.
 */
const maxUrlBytes = 2000

/**
 * Signs the addresses at which the server shows content of other hosts. Without a signature, any
 * client could make the server load arbitrary URLs.
 */
export class ExternalContentAddresses {
  constructor(
    private readonly dataKey: DataKey,
    private readonly rules: { readonly isOn: boolean },
    private readonly address: ChatAddress,
  ) {}

  /**
   * The address at which the server shows the content of `url`, as a path.
   *
   * @returns undefined if the server does not show it.
   */
  readonly toProxyUrl = (url: string): string | undefined => {
    if (!this.rules.isOn || Buffer.byteLength(url) > maxUrlBytes) return undefined
    const hex = Buffer.from(url, 'utf8').toString('hex')
    return this.address.file(`/external_content/${this.#sign(url).toString('hex')}/${hex}`)
  }

  /** Returns the URL that such an address encodes; undefined if the signature is invalid. */
  open(signature: string, hex: string): string | undefined {
    const isWellFormed = /^[0-9a-f]{40}$/.test(signature) && /^(?:[0-9a-f]{2})+$/.test(hex)
    if (!this.rules.isOn || !isWellFormed || hex.length > 2 * maxUrlBytes) return undefined
    const url = Buffer.from(hex, 'hex').toString('utf8')
    return timingSafeEqual(Buffer.from(signature, 'hex'), this.#sign(url)) ? url : undefined
  }

  #sign(url: string): Buffer {
    // Existing clients expect addresses of this form: 40 digits. Stored messages contain them, so the
    // key must not change with `secret`.
    return createHmac('sha1', this.dataKey.keyOf('external content')).update(url).digest()
  }
}
