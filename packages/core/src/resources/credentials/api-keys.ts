import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import { randomAlphanumeric } from '../../kernel/random.js'
import { ServerSecretToken, type Secrets } from './server-secret.js'

export const apiKeyLength = 32

/** An API key as its owner's row keeps it: found by hash, readable only with the server's secret. */
export interface StoredApiKey {
  readonly api_key_hash: string
  readonly api_key_sealed: string
}

/** Makes, hashes and reveals API keys. */
@perServer()
export class ApiKeys {
  constructor(@inject(ServerSecretToken) private readonly secrets: Secrets) {}

  create(): string {
    return randomAlphanumeric(apiKeyLength)
  }

  store(apiKey: string): StoredApiKey {
    return {
      api_key_hash: hashApiKey(apiKey),
      api_key_sealed: this.secrets.box('api-keys').seal(apiKey),
    }
  }

  /**
   * @throws {UnknownSecretError} if the key is sealed under a secret that was not given.
   */
  reveal(stored: Pick<StoredApiKey, 'api_key_sealed'>): string {
    return this.secrets.box('api-keys').open(stored.api_key_sealed)
  }
}

/** The keys are random, so an unsalted hash gives nothing away, and one look-up finds the row. */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}
