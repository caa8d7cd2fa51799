import { randomBytes } from 'node:crypto'

import type { LogRecord } from '../log/log-entry.js'
import { BrokerClock } from './broker-clock.js'
import type { BusConnection, BusListener, EphemeralEvent, EventBus } from './bus.js'
import { Heartbeat } from './heartbeat.js'
import { decodeEvent, type MessageKind, type SentEvent, SignedMessages } from './signed-messages.js'

/** So many processes are remembered; one more takes the place of that which was first to send. */
const maxProcesses = 1000

/** Drops events that arrive twice, or after later ones of the same process. */
class RepeatFilter {
  readonly #counts = new Map<string, number>()

  isNew(processId: string, count: number): boolean {
    const newest = this.#counts.get(processId)
    if (newest !== undefined && count <= newest) return false
    if (newest === undefined && this.#counts.size >= maxProcesses) {
      for (const oldest of this.#counts.keys()) {
        this.#counts.delete(oldest)
        break
      }
    }
    this.#counts.set(processId, count)
    return true
  }
}

/** How many messages wait for the broker at most; others are dropped, and cost latency only. */
const maxWaiting = 10_000
/** An event that is in no log and older than that is not true any more. */
const maxAgeMilliseconds = 15_000

/** What a broker needs of the bus that uses it. */
export interface BrokerSubscriptions {
  /** The channels to which this process must be subscribed; a new connection subscribes to all. */
  channels(): string[]
  receive(channel: string, text: string): void
}

/**
 * Carries texts through a server: to all processes that are subscribed to a channel, at most once,
 * and in their order. It may lose any of them. No method throws.
 */
export interface Broker {
  /** Longer texts cannot be sent. */
  readonly maxBytes: number
  /** Whether `publish` would send a text now. */
  readonly isReady: boolean
  /** Called once, before everything else. */
  begin(subscriptions: BrokerSubscriptions): void
  /**
   * Called at the start and then once a second: opens connections that are closed.
   *
   * @param isLost whether none of the last messages of this process has come back to it, so that
   *   connections which seem open are not.
   */
  keepOpen(isLost: boolean): void
  /** The time of the server, in UNIX milliseconds. */
  timeMilliseconds(): Promise<number>
  /** Called when `channels()` has one more. */
  subscribe(channel: string): void
  unsubscribe(channel: string): void
  /** Resolves when the server has the text. */
  publish(channel: string, text: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * An event bus over a broker. The broker gets no message and no other content of the event log, only
 * how far each log has grown, and the events that are in no log: who is typing, and who is present.
 * The messages are signed with a key that is stored in the database, so messages of others have no
 * effect. Without the broker, the chat polls the database.
 */
export class BrokerBus implements EventBus {
  readonly #processId = randomBytes(12).toString('base64url')
  readonly #listeners = new Set<BusListener>()
  readonly #followed = new Set<number>()
  readonly #repeats = new RepeatFilter()
  readonly #clock = new BrokerClock()
  readonly #heartbeat = new Heartbeat((text, isLost) => this.#beat(text, isLost))
  #base: string | undefined
  #messages: SignedMessages | undefined
  #ephemeralCount = 0
  /** How many messages have no answer of the broker yet. */
  #waiting = 0

  /** @param prefix begins the name of every channel. */
  constructor(
    private readonly broker: Broker,
    private readonly prefix: string,
  ) {
    broker.begin({
      channels: () =>
        this.#base === undefined
          ? []
          : [this.#ownChannel, ...[...this.#followed].map((id) => this.#channelOf(id))],
      receive: (channel, text) => this.#receive(channel, text),
    })
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
    // Kept until the broker is back, it could arrive when it is not true any more.
    const sentAt = this.#clock.now()
    if (this.isConnected && sentAt !== undefined) this.#publishEvent(event, sentAt)
  }

  subscribe(listener: BusListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Waits for the broker for two seconds, and then goes on without it.
   *
   * @throws {Error} if a chat on another database uses this bus.
   */
  async connect(databaseId: string, connection: BusConnection): Promise<void> {
    const base = `${this.prefix}:${databaseId}`
    if (this.#base === base) return
    if (this.#base !== undefined) throw new Error('Create one event bus for each chat server')
    this.#base = base
    this.#messages = new SignedMessages(connection, this.broker.maxBytes)
    await this.#heartbeat.start()
  }

  follow(organizationId: number): void {
    this.#followed.add(organizationId)
    if (this.#base !== undefined) this.broker.subscribe(this.#channelOf(organizationId))
  }

  unfollow(organizationId: number): void {
    if (!this.#followed.delete(organizationId)) return
    if (this.#base !== undefined) this.broker.unsubscribe(this.#channelOf(organizationId))
  }

  async close(): Promise<void> {
    this.#heartbeat.stop()
    this.#listeners.clear()
    await this.broker.close()
  }

  #channelOf(organizationId: number): string {
    return `${this.#base}:${organizationId}`
  }

  get #ownChannel(): string {
    return `${this.#base}:process:${this.#processId}`
  }

  /** Sends a message to this process through the broker. */
  #beat(text: string, isLost: boolean): void {
    this.broker.keepOpen(isLost)
    if (!this.broker.isReady) return
    this.#clock
      .read(() => this.broker.timeMilliseconds())
      .catch(() => {
        // Events are not sent, and their age is not checked, before the first answer.
      })
    this.#publish(this.#ownChannel, 'beat', text)
  }

  #publishEvent(event: EphemeralEvent, sentAt: number): void {
    this.#ephemeralCount += 1
    const count = this.#ephemeralCount
    const message: SentEvent = { processId: this.#processId, count, sentAt, event }
    const channel = this.#channelOf(event.organizationId)
    const { userIds } = event
    const isShort = this.#publish(channel, 'event', JSON.stringify(message))
    if (isShort || userIds.length < 2) return
    const half = Math.ceil(userIds.length / 2)
    for (const part of [userIds.slice(0, half), userIds.slice(half)]) {
      this.#publishEvent({ ...event, userIds: part }, sentAt)
    }
  }

  /** @returns false if the message is too long. */
  #publish(channel: string, kind: MessageKind, body: string): boolean {
    if (!this.broker.isReady || this.#waiting >= maxWaiting) return true
    if (this.#messages === undefined) return true
    const text = this.#messages.encode(channel, kind, body)
    if (text === undefined) return false
    this.#waiting += 1
    this.broker
      .publish(channel, text)
      .catch(() => {
        // The other processes find the commit when they poll the log.
      })
      .finally(() => {
        this.#waiting -= 1
      })
    return true
  }

  #receive(channel: string, text: string): void {
    const message = this.#messages?.decode(channel, text)
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
