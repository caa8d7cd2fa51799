import { randomBytes } from 'node:crypto'

import type { BusConnection, BusListener, EphemeralEvent, EventBus, LogRecord } from '@parley/core'

import { Heartbeat } from './heartbeat.js'
import { RedisClock } from './redis-clock.js'
import { decodeEvent, SignedMessages, type MessageKind, type SentEvent } from './messages.js'
import { RepeatFilter } from './repeat-filter.js'
import {
  endConnection,
  type RedisClient,
  type RedisConnection,
  type RedisListener,
} from './redis-client.js'

/** How many messages wait for Redis at most; others are dropped, and cost latency only. */
const maxWaiting = 10_000
/** An event that is in no log and older than that is not true any more. */
const maxAgeMilliseconds = 15_000

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
  return new RedisEventBus(client, options.prefix ?? 'parley')
}

class RedisEventBus implements EventBus {
  readonly #processId = randomBytes(12).toString('base64url')
  readonly #listeners = new Set<BusListener>()
  readonly #followed = new Set<number>()
  readonly #repeats = new RepeatFilter()
  readonly #clock = new RedisClock()
  readonly #heartbeat = new Heartbeat((text, isLost) => this.#beat(text, isLost))
  readonly #publisher: RedisConnection
  readonly #subscriber: RedisConnection
  #base: string | undefined
  #messages: SignedMessages | undefined
  #ephemeralCount = 0
  /** How many messages have no answer of Redis yet. */
  #waiting = 0
  /** Whether there may be channels to which the subscriber is not subscribed. */
  #isIncomplete = true

  constructor(
    client: RedisClient,
    private readonly prefix: string,
  ) {
    const options = { disableOfflineQueue: true } as const
    this.#publisher = client.duplicate(options)
    this.#subscriber = client.duplicate(options)
    for (const connection of [this.#publisher, this.#subscriber]) {
      // The client reconnects by itself. The chat logs once that the bus is not connected.
      connection.on('error', () => {})
    }
    this.#subscriber.on('ready', () => this.#subscribeToAll())
  }

  get isConnected(): boolean {
    return this.#heartbeat.isAlive
  }

  publishRecords(organizationId: number, records: readonly LogRecord[]): void {
    for (const listener of this.#listeners) listener.onRecords(organizationId, records)
    // They are in the order of their numbers.
    const newest = records.at(-1)
    if (newest !== undefined) {
      this.#publish(this.#channelOf(organizationId), 'head', String(newest.seq))
    }
  }

  publishEphemeral(event: EphemeralEvent): void {
    for (const listener of this.#listeners) listener.onEphemeral(event)
    // Kept until Redis is back, it could arrive when it is not true any more.
    const sentAt = this.#clock.now()
    if (!this.isConnected || sentAt === undefined) return
    this.#ephemeralCount += 1
    const count = this.#ephemeralCount
    const message: SentEvent = { processId: this.#processId, count, sentAt, event }
    this.#publish(this.#channelOf(event.organizationId), 'event', JSON.stringify(message))
  }

  subscribe(listener: BusListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Waits for Redis for two seconds, and then goes on without it.
   *
   * @throws {Error} if a chat on another database uses this bus.
   */
  async connect(databaseId: string, connection: BusConnection): Promise<void> {
    const base = `${this.prefix}:${databaseId}`
    if (this.#base === base) return
    if (this.#base !== undefined) throw new Error('Create one Redis bus for each chat server')
    this.#base = base
    this.#messages = new SignedMessages(connection)
    await this.#heartbeat.start()
  }

  follow(organizationId: number): void {
    this.#followed.add(organizationId)
    if (this.#subscriber.isReady) this.#subscribe([this.#channelOf(organizationId)])
    else this.#isIncomplete = true
  }

  unfollow(organizationId: number): void {
    if (!this.#followed.delete(organizationId) || !this.#subscriber.isReady) return
    const channel = this.#channelOf(organizationId)
    // With its listener: only then does a `subscribe` before the reply send its command again.
    this.#subscriber.unsubscribe(channel, this.#receive).catch(() => {
      // It ends with the connection.
    })
  }

  async close(): Promise<void> {
    this.#heartbeat.stop()
    this.#listeners.clear()
    endConnection(this.#publisher)
    endConnection(this.#subscriber)
  }

  #channelOf(organizationId: number): string {
    return `${this.#base}:${organizationId}`
  }

  get #ownChannel(): string {
    return `${this.#base}:process:${this.#processId}`
  }

  #channels(): string[] {
    return [this.#ownChannel, ...[...this.#followed].map((id) => this.#channelOf(id))]
  }

  /**
   * Sends a message to this process through Redis, once the connections are open.
   *
   * @param isLost whether none of the last messages has arrived.
   */
  #beat(text: string, isLost: boolean): void {
    for (const connection of [this.#publisher, this.#subscriber]) {
      // A connection that was lost without notice would stay open for many minutes.
      if (isLost && connection.isReady) endConnection(connection)
      if (!connection.isOpen) {
        if (connection === this.#subscriber) this.#isIncomplete = true
        connection.connect().catch(() => {
          // The next beat tries again.
        })
      }
    }
    if (this.#isIncomplete && this.#subscriber.isReady) this.#subscribeToAll()
    if (this.#publisher.isReady) {
      this.#clock
        .read(() => this.#publisher.time())
        .catch(() => {
          // Events are not sent, and their age is not checked, before the first answer.
        })
    }
    this.#publish(this.#ownChannel, 'beat', text)
  }

  #publish(channel: string, kind: MessageKind, body: string): void {
    if (!this.#publisher.isReady || this.#waiting >= maxWaiting) return
    const text = this.#messages?.encode(channel, kind, body)
    if (text === undefined) return
    this.#waiting += 1
    this.#publisher
      .publish(channel, text)
      .catch(() => {
        // The other processes find the commit when they poll the log.
      })
      .finally(() => {
        this.#waiting -= 1
      })
  }

  #subscribeToAll(): void {
    this.#isIncomplete = false
    this.#subscribe(this.#channels())
  }

  #subscribe(channels: string[]): void {
    if (this.#base === undefined) return
    this.#subscriber.subscribe(channels, this.#receive).catch(() => {
      // The next beat, or the next connection, subscribes to all channels again.
      this.#isIncomplete = true
    })
  }

  readonly #receive: RedisListener = (received, from) => {
    const channel = String(from)
    const message = this.#messages?.decode(channel, String(received))
    if (message === undefined) return
    const { kind, body } = message
    if (channel === this.#ownChannel) {
      if (kind === 'beat') this.#heartbeat.receive(body)
      return
    }
    const organizationId = Number(channel.slice(`${this.#base}:`.length))
    if (!this.#followed.has(organizationId)) return
    if (kind === 'event') this.#receiveEvent(organizationId, body)
    else for (const listener of this.#listeners) listener.onHead(organizationId, Number(body))
  }

  #receiveEvent(organizationId: number, body: string): void {
    const sent = decodeEvent(organizationId, body)
    if (sent === undefined) {
      this.#messages?.refuse('form')
      return
    }
    const { processId, count, sentAt, event } = sent
    if (processId === this.#processId) return
    // An event from when this process did not receive is old: it arrives before the next heartbeat.
    if (!this.isConnected || !this.#repeats.isNew(processId, count)) return
    // The sender may have been cut off meanwhile.
    if ((this.#clock.now() ?? 0) - sentAt > maxAgeMilliseconds) return
    for (const listener of this.#listeners) listener.onEphemeral(event)
  }
}
