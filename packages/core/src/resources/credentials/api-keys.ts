import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import { randomAlphanumeric } from '../../kernel/random.js'
import { SealedBox } from '../../kernel/sealed-box.js'
import { ServerSecretToken } from './server-secret.js'

export const apiKeyLength = 32

/** An API key as its owner's row keeps it: found by hash, readable only with the server's secret. */
export interface StoredApiKey {
  readonly api_key_hash: string
  readonly api_key_sealed: string
}

/** Makes, hashes and reveals API keys. */
@perServer()
export class ApiKeys {
  #box: SealedBox | undefined

  constructor(@inject(ServerSecretToken) private readonly secret: { value(): string }) {}

  create(): string {
    return randomAlphanumeric(apiKeyLength)
  }

  store(apiKey: string): StoredApiKey {
    return { api_key_hash: hashApiKey(apiKey), api_key_sealed: this.#sealed().seal(apiKey) }
  }

  reveal(stored: Pick<StoredApiKey, 'api_key_sealed'>): string {
    return this.#sealed().open(stored.api_key_sealed)
  }

  #sealed(): SealedBox {
    this.#box ??= new SealedBox(this.secret.value(), 'api-keys')
    return this.#box
  }
}

/** The keys are random, so an unsalted hash gives nothing away, and one look-up finds the row. */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}
