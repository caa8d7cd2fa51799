import { performance } from 'node:perf_hooks'
// Not the clock of the chat: how long Redis takes is a matter of real time.
import { clearTimeout, setTimeout } from 'node:timers'

import type { RateLimitKey, RateLimitOutcome, RateLimitStore } from '@parley/core'

import {
  forget,
  pacedConsume,
  pacedRefund,
  slidingConsume,
  slidingRefund,
  type Script,
} from './rate-limit-scripts.js'
import { endConnection, type RedisClient, type RedisConnection } from './redis-client.js'

/** The chat waits for one second; calls beyond these fail at once, and each process counts. */
const maxWaiting = 10_000
const maxStartMilliseconds = 2000
/** After this time without any answer, the connection is opened anew. */
const lostMilliseconds = 4000

export interface RedisRateLimitStoreOptions {
  /**
   * Begins the name of every key. Products that share a server need not differ in it: the names also
   * contain an id of the database. @default 'parley'
   */
  readonly prefix?: string
}

/**
 * Creates a store in which all processes of a chat count requests and attempts to sign in together,
 * for the option `rateLimits: { store }`. Without Redis, each process counts for itself.
 *
 * @param client of `createClient` of `redis` or `@redis/client`, 5 or newer; or of `createCluster` or
 *   `createSentinel`, 6.3 or newer. It is only duplicated, and need not be connected. The store opens
 *   one connection (one client of a cluster or of sentinels), and closes it with the chat.
 */
export function createRedisRateLimitStore(
  client: RedisClient,
  options: RedisRateLimitStoreOptions = {},
): RateLimitStore {
  return new RedisRateLimitStore(client, options.prefix ?? 'parley')
}

class RedisRateLimitStore implements RateLimitStore {
  readonly #connection: RedisConnection
  #base: string | undefined
  #unanswered = 0
  /** When Redis has last answered, or had nothing to answer. */
  #answeredAt = 0

  constructor(
    client: RedisClient,
    private readonly prefix: string,
  ) {
    this.#connection = client.duplicate({ disableOfflineQueue: true })
    // The client reconnects by itself. The chat logs once that the store fails.
    this.#connection.on('error', () => {})
  }

  /**
   * Waits for Redis for two seconds, and then goes on without it.
   *
   * @throws {Error} if a chat on another database uses this store.
   */
  async connect(databaseId: string): Promise<void> {
    const base = `${this.prefix}:${databaseId}:limit`
    if (this.#base === base) return
    if (this.#base !== undefined) {
      throw new Error('Create one Redis store of rate limits for each chat server')
    }
    this.#base = base
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxStartMilliseconds)
    })
    await Promise.race([this.#open(), timeout])
    clearTimeout(timer)
  }

  async consume(limit: RateLimitKey): Promise<RateLimitOutcome> {
    const reply = await this.#run(limit.isPaced ? pacedConsume : slidingConsume, limit)
    const [retryAfterMilliseconds, remaining, fullAfterMilliseconds] = Array.isArray(reply)
      ? reply.map(Number)
      : []
    if (remaining === undefined || fullAfterMilliseconds === undefined) {
      throw new TypeError('Redis has not answered with three numbers')
    }
    return { retryAfterMilliseconds, remaining, fullAfterMilliseconds }
  }

  async refund(limit: RateLimitKey): Promise<void> {
    await this.#run(limit.isPaced ? pacedRefund : slidingRefund, limit)
  }

  async forget(limit: RateLimitKey): Promise<void> {
    await this.#run(forget, limit)
  }

  async close(): Promise<void> {
    endConnection(this.#connection)
  }

  async #run({ text, sha1 }: Script, { key, rules }: RateLimitKey): Promise<unknown> {
    if (this.#base === undefined) throw new Error('The store is not connected')
    const parameters = {
      keys: [`${this.#base}:${key}`],
      arguments: rules.flatMap(({ windowSeconds, maxRequests }) => [
        String(windowSeconds * 1000),
        String(maxRequests),
      ]),
    }
    this.#requireAnswers()
    if (this.#unanswered >= maxWaiting) throw new Error('Too many calls wait for Redis')
    this.#unanswered += 1
    try {
      const reply = await this.#connection.evalSha(sha1, parameters).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
        return this.#connection.eval(text, parameters)
      })
      // Calls also fail without Redis, at once if too many wait: that is no answer.
      this.#answeredAt = performance.now()
      return reply
    } finally {
      this.#unanswered -= 1
    }
  }

  /** Opens the connection, also anew: one that was lost without notice stays open for minutes. */
  #requireAnswers(): void {
    const now = performance.now()
    if (this.#unanswered === 0) this.#answeredAt = now
    const isLost = now - this.#answeredAt > lostMilliseconds
    if (isLost && this.#connection.isReady) endConnection(this.#connection)
    if (!this.#connection.isOpen) void this.#open()
  }

  async #open(): Promise<void> {
    try {
      await this.#connection.connect()
    } catch {
      // The next call tries again.
    }
  }
}
