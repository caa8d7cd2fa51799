import type { InjectionToken } from 'tsyringe'

import type { LogRecord } from './log-entry.js'

/** An event that is not in the log: typing, immediate presence. Delivered at most once. */
export interface EphemeralEvent {
  readonly organizationId: number
  readonly kind: string
  readonly userIds: readonly number[]
  readonly data: unknown
}

/** Receives what the bus carries. */
export interface BusListener {
  /** Committed records, per organization not necessarily in order and possibly with gaps. */
  onRecords(organizationId: number, records: readonly LogRecord[]): void
  onEphemeral(event: EphemeralEvent): void
}

/**
 * Carries committed records, and ephemeral events, to the processes that serve clients. Losing what
 * it carries costs latency, never events: the log is in the database.
 */
export interface EventBus {
  publishRecords(organizationId: number, records: readonly LogRecord[]): void
  publishEphemeral(event: EphemeralEvent): void
  /** @returns a function that ends the subscription. */
  subscribe(listener: BusListener): () => void
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
