import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

import type { Logger } from '../../../kernel/logger.js'
import { loadArgon2id, type Argon2id } from './argon2id.js'
import { applicationClient, HashingQueue, type HashingClient } from './hashing-queue.js'
import {
  argon2idCost,
  formatPasswordHash,
  isCheaper,
  keyBytes,
  parsePasswordHash,
  saltBytes,
  scryptCost,
  type HashCost,
  type PasswordHash,
  type ScryptCost,
} from './password-hash.js'

/** The algorithm of new hashes. */
export type PasswordHashing = 'scrypt' | 'argon2id'

export interface PasswordHasherOptions {
  /** @default 'argon2id' if the optional peer is installed, otherwise 'scrypt' */
  readonly hashing?: PasswordHashing | undefined
  readonly logger?: Logger
  /** Loads an implementation of Argon2id; replaced in tests. */
  readonly loadArgon2id?: () => Promise<Argon2id | undefined>
}

/**
 * No longer password has ever been hashed, and normalizing megabytes would block the event loop.
 */
const maxLength = 1000
/** Each takes 128 MiB, and a thread of the pool that file access and DNS also use. */
const maxRunning = 2
/** The last of this many waits about ten seconds. */
const maxWaiting = 60

const noSalt = Buffer.alloc(saltBytes)
const noKey = Buffer.alloc(keyBytes)

/**
 * Hashes passwords with scrypt or Argon2id into PHC strings. A bounded number is computed at once,
 * a bounded number waits, and {@link HashingQueue} distributes the slots among the clients.
 */
export class PasswordHasher {
  readonly #options: PasswordHasherOptions
  readonly #queue = new HashingQueue({ maxRunning, maxWaiting })
  #argon2id: Promise<Argon2id | undefined> | undefined

  constructor(options: PasswordHasherOptions = {}) {
    this.#options = options
  }

  /** @throws {Error} if `hashing` is 'argon2id' and there is no implementation. */
  async prepare(): Promise<void> {
    if (this.#options.hashing !== 'argon2id' || (await this.#findArgon2id()) !== undefined) return
    throw new Error(
      "passwordHashing is 'argon2id': install @node-rs/argon2, or use Node.js 24.7 or later",
    )
  }

  /** @throws {ChatError} `RATE_LIMIT_HIT` if too many are waiting. */
  async hash(password: string, client: HashingClient): Promise<string> {
    return this.#hash(password, client)
  }

  /** Like {@link hash}, for the application itself: waits however many others are waiting. */
  async hashQueued(password: string): Promise<string> {
    return this.#hash(password, applicationClient)
  }

  /**
   * Takes the same time whether or not there is a hash to compare with.
   *
   * @throws {ChatError} `RATE_LIMIT_HIT` if too many are waiting.
   */
  async verify(password: string, phc: string | null, client: HashingClient): Promise<boolean> {
    const stored = phc === null ? undefined : await this.#comparable(phc)
    const target = await this.#cost()
    const { cost, salt, key } = stored ?? { cost: target, salt: noSalt, key: noKey }
    const isTooLong = password.length > maxLength
    const compared = isTooLong ? '' : password
    const derived = await this.#queue.run(client, async () => {
      const result = await this.#derive(compared, salt, cost)
      for (const missing of missingWork(cost, target)) {
        await this.#derive(compared, noSalt, missing)
      }
      return result
    })
    return timingSafeEqual(derived, key) && stored !== undefined && !isTooLong
  }

  /** Whether a stored hash has a lower cost than new hashes, or a scheme that is no longer used. */
  async needsRehash(phc: string): Promise<boolean> {
    const parsed = parsePasswordHash(phc)
    if (parsed === undefined) return true
    const target = await this.#cost()
    if (parsed.cost.scheme === target.scheme) return isCheaper(parsed.cost, target)
    // Processes with different packages must not replace each other's hashes at each login.
    return parsed.cost.scheme === 'scrypt' || this.#options.hashing === 'scrypt'
  }

  async #hash(password: string, client: HashingClient | typeof applicationClient): Promise<string> {
    const cost = await this.#cost()
    const salt = randomBytes(saltBytes)
    const key = await this.#queue.run(client, () => this.#derive(password, salt, cost))
    return formatPasswordHash({ cost, salt, key })
  }

  async #cost(): Promise<HashCost> {
    const { hashing } = this.#options
    if (hashing === 'scrypt') return scryptCost
    const argon2id = await this.#findArgon2id()
    const isUsed = hashing === 'argon2id' || argon2id?.isPeer === true
    return isUsed ? argon2idCost : scryptCost
  }

  /** @returns undefined if no password can be compared with the hash. */
  async #comparable(phc: string): Promise<PasswordHash | undefined> {
    const parsed = parsePasswordHash(phc)
    const isPossible =
      parsed !== undefined &&
      (parsed.cost.scheme === 'scrypt' || (await this.#findArgon2id()) !== undefined)
    if (isPossible) return parsed
    this.#options.logger?.warn('A stored password hash cannot be compared with', {
      scheme: /^\$([a-z0-9-]{1,32})\$/.exec(phc)?.[1] ?? 'unknown',
    })
    return undefined
  }

  async #derive(password: string, salt: Buffer, cost: HashCost): Promise<Buffer> {
    const normalized = password.normalize('NFKC')
    if (cost.scheme === 'scrypt') return deriveScrypt(normalized, salt, cost)
    const argon2id = await this.#findArgon2id()
    if (argon2id === undefined) throw new Error('There is no implementation of Argon2id')
    return argon2id.derive(normalized, salt, cost)
  }

  #findArgon2id(): Promise<Argon2id | undefined> {
    this.#argon2id ??= (this.#options.loadArgon2id ?? loadArgon2id)()
    return this.#argon2id
  }
}

/**
 * The work that a cheaper scrypt hash lacks, so that verifying it takes as long as without an
 * account: 2^n + 2^n + 2^(n+1) + … = 2^m.
 */
export function missingWork(cost: HashCost, target: HashCost): ScryptCost[] {
  if (cost.scheme !== 'scrypt' || target.scheme !== 'scrypt') return []
  const count = Math.max(0, target.logN - cost.logN)
  return Array.from({ length: count }, (_, index) => ({ ...cost, logN: cost.logN + index }))
}

function deriveScrypt(password: string, salt: Buffer, { logN, r, p }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // OpenSSL requires 128 * N * r bytes and some more.
    const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
    scrypt(password, salt, keyBytes, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
