import type { Actor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { FairQueue } from '../../../kernel/fair-queue.js'
import { keyWithin, type MadeKey } from '../../../kernel/limit-keys.js'

/**
 * The client that a hash is computed for. Users who are signed in, and attempts from a known
 * address of the account, are not delayed by other attempts. Within a lane, the keys alternate.
 */
export interface HashingClient {
  readonly lane: 'known' | 'other'
  /** Identifies the address group or the user. */
  readonly key: MadeKey
}

/** The client for a user who is signed in. */
export function hashingClientOf(actor: Actor): HashingClient {
  return { lane: 'known', key: keyWithin(`user ${actor.organizationId}`, actor.userId) }
}

/** Hashes that the application itself requests are never refused. */
export const applicationClient = { lane: 'application', key: '' } as const

type Lane = HashingClient['lane'] | typeof applicationClient.lane

/** The number of seconds after which a refused client may retry. */
const retryAfterSeconds = 2

/**
 * Runs a bounded number of jobs at once, and keeps a bounded number of others waiting. Lanes
 * alternate; each is a {@link FairQueue}.
 */
export class HashingQueue {
  readonly #maxRunning: number
  /** The lanes in the order in which they are served. */
  readonly #lanes: Map<Lane, FairQueue>
  #running = 0

  constructor(options: { readonly maxRunning: number; readonly maxWaiting: number }) {
    this.#maxRunning = options.maxRunning
    this.#lanes = new Map<Lane, FairQueue>([
      ['known', new FairQueue(options.maxWaiting)],
      ['other', new FairQueue(options.maxWaiting)],
      ['application', new FairQueue(Infinity)],
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
