import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import type { Actor } from '../../domain/actor.js'

/** Some 300 bytes each, whatever the credentials are: at most 6 MB. */
const maxKnown = 20_000

/**
 * Accounts by what proved them, until an account changes. What proved them is kept as a hash only,
 * so that a copy of the process's memory holds no API keys of users who are not calling right now.
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

  /** What is kept of the proofs. */
  keys(): string[] {
    return [...this.#actors.keys()]
  }
}

/** The name under which an account is remembered: of the same length for every proof. */
export function proofOf(organizationId: number, ...credentials: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([organizationId, ...credentials]))
    .digest('base64')
}
