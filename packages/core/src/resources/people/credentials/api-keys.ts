import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { randomAlphanumeric } from '../../../kernel/random.js'
import { ServerSecretToken, type Secrets } from './server-secret.js'

export const apiKeyLength = 32

/** An API key as it is stored: found by its hash, and readable only with the server's secret. */
export interface StoredApiKey {
  readonly api_key_hash: string
  readonly api_key_sealed: string
}

/** Creates, hashes, encrypts and decrypts API keys. */
@perServer()
export class ApiKeys {
  constructor(@inject(ServerSecretToken) private readonly secrets: Secrets) {}

  create(): string {
    return randomAlphanumeric(apiKeyLength)
  }

  toStored(apiKey: string): StoredApiKey {
    return {
      api_key_hash: hashApiKey(apiKey),
      api_key_sealed: this.secrets.box('api-keys').seal(apiKey),
    }
  }

  /** @throws {UnknownSecretError} if the key is encrypted under a secret that is not configured. */
  reveal(stored: Pick<StoredApiKey, 'api_key_sealed'>): string {
    return this.secrets.box('api-keys').open(stored.api_key_sealed)
  }
}

/** API keys are random, so an unsalted hash reveals nothing, and one look-up finds the row. */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}
