import { hash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import type { Actor } from '../../../domain/users/actor.js'
import { entryLimit } from '../../../kernel/entry-limit.js'

/** About 500 bytes per entry, whatever the credentials are: at most 10 MB. */
const maxKnown = 20_000

/**
 * Caches accounts by a hash of their credentials, until the account changes. Only the hash is kept,
 * so that a copy of the process's memory contains no API keys of users who are not calling right
 * now.
 */
export class KnownCallers {
  readonly #actors: LRUCache<string, Actor>
  readonly #proofsByUser = new Map<string, Set<string>>()

  constructor(max = maxKnown) {
    this.#actors = new LRUCache({
      ...entryLimit(max),
      dispose: (actor, proof) => this.#forget(actor, proof),
    })
  }

  find(proof: string): Actor | undefined {
    return this.#actors.get(proof)
  }

  /**
   * @param dependsOnOthers whether the account may be different after a change of another one of its
   *   organization.
   */
  remember(proof: string, actor: Actor, dependsOnOthers = false): void {
    this.#actors.set(proof, actor)
    const userIds = dependsOnOthers ? [actor.userId, anyUser] : [actor.userId]
    for (const userId of userIds) {
      const key = keyOf(actor.organizationId, userId)
      const proofs = this.#proofsByUser.get(key)
      if (proofs === undefined) this.#proofsByUser.set(key, new Set([proof]))
      else proofs.add(proof)
    }
  }

  /** Forgets the credentials that depend on a user whose account has changed. */
  forgetUser(organizationId: number, userId: number): void {
    for (const id of [userId, anyUser]) {
      const proofs = [...(this.#proofsByUser.get(keyOf(organizationId, id)) ?? [])]
      for (const proof of proofs) this.#actors.delete(proof)
    }
  }

  forgetOrganization(organizationId: number): void {
    const known = [...this.#actors.entries()]
    for (const [proof, actor] of known) {
      if (actor.organizationId === organizationId) this.#actors.delete(proof)
    }
  }

  #forget({ organizationId, userId }: Actor, proof: string): void {
    for (const id of [userId, anyUser]) {
      const key = keyOf(organizationId, id)
      const proofs = this.#proofsByUser.get(key)
      proofs?.delete(proof)
      if (proofs?.size === 0) this.#proofsByUser.delete(key)
    }
  }

  /** The cached hashes. */
  keys(): string[] {
    return [...this.#actors.keys()]
  }
}

/** In place of an id: the credentials that depend on all accounts. No account has it. */
const anyUser = -1

function keyOf(organizationId: number, userId: number): string {
  return `${organizationId}/${userId}`
}

/** The cache key of an account: a hash, which has the same length for all credentials. */
export function proofOf(organizationId: number, ...credentials: readonly unknown[]): string {
  return hash('sha256', JSON.stringify([organizationId, ...credentials]), 'base64')
}
