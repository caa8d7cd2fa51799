import { createHmac } from 'node:crypto'

import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { randomAlphanumeric } from '../../../kernel/random.js'
import { UnknownSecretError } from '../../../kernel/secret-box.js'
import { DataKey } from '../../people/credentials/index.js'

const tokenLength = 32

/** Creates, encrypts and decrypts the tokens that authenticate calls to outgoing webhook bots. */
@perServer()
export class ServiceTokens {
  constructor(@inject(DataKey) private readonly dataKey: DataKey) {}

  /** @param token @default a random one */
  toStored(token = randomAlphanumeric(tokenLength)): string {
    return this.#box.seal(token)
  }

  /** The token; another one, which remains the same, if the secret of the stored one is lost. */
  reveal(sealed: string): string {
    try {
      return this.#box.open(sealed)
    } catch (error) {
      if (!(error instanceof UnknownSecretError)) throw error
      const key = this.dataKey.keyOf('replaced service tokens')
      return createHmac('sha256', key).update(sealed).digest('hex').slice(0, tokenLength)
    }
  }

  get #box() {
    return this.dataKey.box('service tokens')
  }
}
