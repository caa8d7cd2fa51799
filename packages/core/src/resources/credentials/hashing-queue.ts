import type { Actor } from '../../domain/actor.js'
import { ChatError } from '../../errors/index.js'

/**
 * Who a hash is computed for. Users who are signed in, and attempts from a known address of the
 * account, are not delayed by other attempts; within a lane, the keys alternate.
 */
export interface HashingClient {
  readonly lane: 'known' | 'other'
  /** The address group or the user. */
  readonly key: string
}

/** A user who is signed in. */
export function hashingClientOf(actor: Actor): HashingClient {
  return { lane: 'known', key: `user ${actor.organizationId}/${actor.userId}` }
}

/** What the application itself asks for is never refused. */
export const applicationClient = { lane: 'application', key: '' } as const

type Lane = HashingClient['lane'] | typeof applicationClient.lane

interface Waiter {
  start(): void
  refuse(): void
}

/** After how many seconds a refused client may try again. */
const retryAfterSeconds = 2

/**
 * Runs a bounded number of jobs at once, and keeps a bounded number of others waiting. Lanes
 * alternate. Within a lane each key has one job started before any has a second; in a full lane the
 * newest job of the key with the most of them makes place for a key that has fewer.
 */
export class HashingQueue {
  readonly #maxRunning: number
  /** The lane that is served next comes first. */
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

  /** The place of a job that has ended passes to one that waits. */
  #leave(): void {
    for (const [name, lane] of this.#lanes) {
      const next = lane.take()
      if (next === undefined) continue
      // The other lanes come first the next time.
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
  /** The key that is served next comes first; no key is without waiters. */
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

  /** @returns whether a key with `ownCount` waiting jobs may take the place of another's. */
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
