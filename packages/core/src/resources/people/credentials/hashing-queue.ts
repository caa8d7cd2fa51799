import type { Actor } from '../../../domain/actor.js'
import { ChatError } from '../../../errors/index.js'

/**
 * The client that a hash is computed for. Users who are signed in, and attempts from a known
 * address of the account, are not delayed by other attempts. Within a lane, the keys alternate.
 */
export interface HashingClient {
  readonly lane: 'known' | 'other'
  /** Identifies the address group or the user. */
  readonly key: string
}

/** The client for a user who is signed in. */
export function hashingClientOf(actor: Actor): HashingClient {
  return { lane: 'known', key: `user ${actor.organizationId}/${actor.userId}` }
}

/** Hashes that the application itself requests are never refused. */
export const applicationClient = { lane: 'application', key: '' } as const

type Lane = HashingClient['lane'] | typeof applicationClient.lane

interface Waiter {
  start(): void
  refuse(): void
}

/** The number of seconds after which a refused client may retry. */
const retryAfterSeconds = 2

/**
 * Runs a bounded number of jobs at once, and keeps a bounded number of others waiting. Lanes
 * alternate. Within a lane, each key has one job started before any key has a second. If a lane is
 * full, a job of a key that has fewer waiting jobs displaces the newest job of the key with the
 * most.
 */
export class HashingQueue {
  readonly #maxRunning: number
  /** The lanes in the order in which they are served. */
  readonly #lanes: Map<Lane, WaitingLane>
  #running = 0

  constructor(options: { readonly maxRunning: number; readonly maxWaiting: number }) {
    this.#maxRunning = options.maxRunning
    this.#lanes = new Map<Lane, WaitingLane>([
      ['known', new WaitingLane(options.maxWaiting)],
      ['other', new WaitingLane(options.maxWaiting)],
      ['application', new WaitingLane(Infinity)],
    ])
  }

  /** @throws {ChatError} `RATE_LIMIT_HIT` if too many are waiting. */
  async run<Result>(
    client: HashingClient | typeof applicationClient,
    job: () => Promise<Result>,
  ): Promise<Result> {
    await this.#enter(client.lane, client.key)
    try {
      return await job()
    } finally {
      this.#leave()
    }
  }

  async #enter(lane: Lane, key: string): Promise<void> {
    if (this.#running < this.#maxRunning) {
      this.#running += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const refuse = (): void =>
        reject(new ChatError('RATE_LIMIT_HIT', { fields: { 'retry-after': retryAfterSeconds } }))
      this.#lanes.get(lane)?.add(key, { start: resolve, refuse })
    })
  }

  /** Passes the slot of a finished job to a waiting one. */
  #leave(): void {
    for (const [name, lane] of this.#lanes) {
      const next = lane.take()
      if (next === undefined) continue
      // Moves the lane to the end: the other lanes are served first the next time.
      this.#lanes.delete(name)
      this.#lanes.set(name, lane)
      next.start()
      return
    }
    this.#running -= 1
  }
}

class WaitingLane {
  readonly #maxWaiting: number
  /** The keys in the order in which they are served; each has at least one waiter. */
  readonly #byKey = new Map<string, Waiter[]>()
  #size = 0

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  add(key: string, waiter: Waiter): void {
    const own = this.#byKey.get(key) ?? []
    if (this.#size >= this.#maxWaiting && !this.#displace(own.length)) {
      waiter.refuse()
      return
    }
    own.push(waiter)
    this.#byKey.set(key, own)
    this.#size += 1
  }

  take(): Waiter | undefined {
    const [first] = this.#byKey
    if (first === undefined) return undefined
    const [key, waiters] = first
    const next = waiters.shift()
    this.#byKey.delete(key)
    if (waiters.length > 0) this.#byKey.set(key, waiters)
    this.#size -= 1
    return next
  }

  /**
   * Refuses a waiting job of the key with the most, if that key has at least two more than
   * `ownCount`.
   *
   * @returns whether a job was refused.
   */
  #displace(ownCount: number): boolean {
    let longest: Waiter[] = []
    for (const waiters of this.#byKey.values()) {
      if (waiters.length > longest.length) longest = waiters
    }
    if (longest.length <= ownCount + 1) return false
    longest.pop()?.refuse()
    this.#size -= 1
    return true
  }
}
