import type { InjectionToken } from 'tsyringe'

import type { LogRecord } from '../log/log-entry.js'
import type { BusRefusal } from './bus-refusals.js'

/** An event that is not in the log: typing, immediate presence. Delivered at most once. */
export interface EphemeralEvent {
  readonly organizationId: number
  readonly kind: string
  readonly userIds: readonly number[]
  readonly data: unknown
}

/** The means of a bus to accept messages of the processes of its chat only. */
export interface BusConnection {
  /**
   * 32 random bytes that all processes of the chat have, and the broker has not: for codes that
   * authenticate messages.
   */
  readonly key: Uint8Array
  /** Counts, and logs at most once a minute, a message that was not accepted. */
  refuse(reason: BusRefusal): void
}

/** Receives the messages of the bus. */
export interface BusListener {
  /**
   * Records that this process has committed, per organization not necessarily in order. Records of
   * another process must not be passed: a client would get their content, whether it is in the
   * log or not.
   */
  onRecords(organizationId: number, records: readonly LogRecord[]): void
  /**
   * The log of an organization has grown to the record `seq`: another process has committed. The
   * record is read from the database, so a number that is old, repeated or wrong has no effect.
   */
  onHead(organizationId: number, seq: number): void
  /** The event is checked: one of another kind, or with data of another form, has no effect. */
  onEphemeral(event: EphemeralEvent): void
}

/**
 * Carries messages of one process to all processes that serve clients: how far each log has grown,
 * and events that are not in a log. A lost message costs latency, never events: the log is in the
 * database.
 */
export interface EventBus {
  /**
   * Passes the records to the listeners of this process, before it returns, and the highest `seq`
   * to those of the others. Must not throw, and must not wait.
   */
  publishRecords(organizationId: number, records: readonly LogRecord[]): void
  /** Passes the event to the listeners of all processes. Must not throw, and must not wait. */
  publishEphemeral(event: EphemeralEvent): void
  /** @returns a function that ends the subscription. */
  subscribe(listener: BusListener): () => void
  /**
   * Called by `chat.start()`. A failure makes the start fail, so a bus whose server is away connects
   * later.
   *
   * @param databaseId identifies the database of the chat, so that products which share a broker do
   *   not receive the messages of others.
   */
  connect?(databaseId: string, connection: BusConnection): Promise<void>
  /** Called when this process begins to need the messages of an organization. */
  follow?(organizationId: number): void
  /** Called when it does not need them any more. */
  unfollow?(organizationId: number): void
  /**
   * Whether the bus reaches the other processes. While it is true, the logs are polled every three
   * seconds only. Otherwise, and without it, they are polled every `logPollMilliseconds`.
   */
  readonly isConnected?: boolean
  close(): Promise<void>
}

export const EventBusToken: InjectionToken<EventBus> = Symbol('EventBus')

/** The bus of a single process. */
export class LocalEventBus implements EventBus {
  readonly #listeners = new Set<BusListener>()

  publishRecords(organizationId: number, records: readonly LogRecord[]): void {
    for (const listener of this.#listeners) listener.onRecords(organizationId, records)
  }

  publishEphemeral(event: EphemeralEvent): void {
    for (const listener of this.#listeners) listener.onEphemeral(event)
  }

  subscribe(listener: BusListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#listeners.clear()
  }
}

/** Whether a bus reports the commits of other processes; undefined if it does not tell. */
export function connectionOf(bus: Pick<EventBus, 'isConnected'>): boolean | undefined {
  try {
    return bus.isConnected
  } catch {
    // A bus of the application must not end the polling that replaces it.
    return false
  }
}
