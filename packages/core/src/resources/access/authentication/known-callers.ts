import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import type { Actor } from '../../../domain/actor.js'

/** About 300 bytes per entry, whatever the credentials are: at most 6 MB. */
const maxKnown = 20_000

/**
 * Caches accounts by a hash of their credentials, until an account changes. Only the hash is kept,
 * so that a copy of the process's memory contains no API keys of users who are not calling right
 * now.
 */
export class KnownCallers {
  readonly #actors: LRUCache<string, Actor>

  constructor(max = maxKnown) {
    this.#actors = new LRUCache({ max })
  }

  find(proof: string): Actor | undefined {
    return this.#actors.get(proof)
  }

  remember(proof: string, actor: Actor): void {
    this.#actors.set(proof, actor)
  }

  clear(): void {
    this.#actors.clear()
  }

  /** The cached hashes. */
  keys(): string[] {
    return [...this.#actors.keys()]
  }
}

/** The cache key of an account: a hash, which has the same length for all credentials. */
export function proofOf(organizationId: number, ...credentials: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([organizationId, ...credentials]))
    .digest('base64')
}
