import type { EventBus } from '@parley/core'
import { BrokerBus, type Broker, type BrokerSubscriptions } from '@parley/core/bus'

import {
  endConnection,
  type RedisClient,
  type RedisConnection,
  type RedisListener,
} from './redis-client.js'

export interface RedisBusOptions {
  /**
   * Begins the name of every channel. Products that share a server need not differ in it: the names
   * also contain an id of the database. @default 'parley'
   */
  readonly prefix?: string
}

/**
 * Creates an event bus that connects all processes of a chat through Redis or Valkey, for the option
 * `bus`. Without Redis the chat works as it does without a bus: it polls the database.
 *
 * Redis gets no message and no other content of the event log, only how far each log has grown, and
 * the events that are in no log: who is typing, and who is present. The messages are signed with a
 * key that is stored in the database, so messages of others through Redis have no effect.
 *
 * @param client of `createClient` of `redis` or `@redis/client`, 5 or newer; or of `createCluster` or
 *   `createSentinel`, 6.3 or newer. It is only duplicated, and need not be connected. The bus opens
 *   two connections (two clients of a cluster or of sentinels), and closes them with the chat.
 */
export function createRedisBus(client: RedisClient, options: RedisBusOptions = {}): EventBus {
  return new BrokerBus(new RedisBroker(client), options.prefix ?? 'parley')
}

class RedisBroker implements Broker {
  readonly maxBytes = 256 * 1024
  readonly #publisher: RedisConnection
  readonly #subscriber: RedisConnection
  #subscriptions: BrokerSubscriptions | undefined
  /** Whether there may be channels to which the subscriber is not subscribed. */
  #isIncomplete = true

  constructor(client: RedisClient) {
    const options = { disableOfflineQueue: true } as const
    this.#publisher = client.duplicate(options)
    this.#subscriber = client.duplicate(options)
    for (const connection of [this.#publisher, this.#subscriber]) {
      // The client reconnects by itself. The chat logs once that the bus is not connected.
      connection.on('error', () => {})
    }
    this.#subscriber.on('ready', () => this.#subscribeToAll())
  }

  get isReady(): boolean {
    return this.#publisher.isReady
  }

  begin(subscriptions: BrokerSubscriptions): void {
    this.#subscriptions = subscriptions
  }

  keepOpen(isLost: boolean): void {
    for (const connection of [this.#publisher, this.#subscriber]) {
      // A connection that was lost without notice would stay open for many minutes.
      if (isLost && connection.isReady) endConnection(connection)
      if (!connection.isOpen) {
        if (connection === this.#subscriber) this.#isIncomplete = true
        connection.connect().catch(() => {
          // The next call tries again.
        })
      }
    }
    if (this.#isIncomplete && this.#subscriber.isReady) this.#subscribeToAll()
  }

  async timeMilliseconds(): Promise<number> {
    const reply = await this.#publisher.time()
    const [seconds = Number.NaN, microseconds = Number.NaN] = Array.isArray(reply)
      ? reply.map(Number)
      : []
    return seconds * 1000 + microseconds / 1000
  }

  subscribe(channel: string): void {
    if (this.#subscriber.isReady) this.#subscribe([channel])
    else this.#isIncomplete = true
  }

  unsubscribe(channel: string): void {
    if (!this.#subscriber.isReady) return
    // With its listener: only then does a `subscribe` before the reply send its command again.
    this.#subscriber.unsubscribe(channel, this.#receive).catch(() => {
      // It ends with the connection.
    })
  }

  publish(channel: string, text: string): Promise<unknown> {
    return this.#publisher.publish(channel, text)
  }

  async close(): Promise<void> {
    endConnection(this.#publisher)
    endConnection(this.#subscriber)
  }

  #subscribeToAll(): void {
    this.#isIncomplete = false
    this.#subscribe(this.#subscriptions?.channels() ?? [])
  }

  #subscribe(channels: string[]): void {
    if (channels.length === 0) return
    this.#subscriber.subscribe(channels, this.#receive).catch(() => {
      // The next connection, or the next call of `keepOpen`, subscribes to all channels again.
      this.#isIncomplete = true
    })
  }

  readonly #receive: RedisListener = (text, channel) => {
    this.#subscriptions?.receive(String(channel), String(text))
  }
}
