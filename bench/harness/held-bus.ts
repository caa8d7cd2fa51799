import type { BusListener, EventBus } from '@parley/core'

/**
 * A bus that keeps committed events until they are released, so that their delivery can be measured
 * without the sending. The chat must not poll the log (`logPollMilliseconds: 0`).
 */
export class HeldBus implements EventBus {
  readonly #listeners = new Set<BusListener>()
  #held: Parameters<BusListener['onRecords']>[] | undefined

  /** Delivers what comes from now on only when it is released. */
  hold(): void {
    this.#held ??= []
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const records of held) this.publishRecords(...records)
  }

  publishRecords(...records: Parameters<BusListener['onRecords']>): void {
    if (this.#held !== undefined) this.#held.push(records)
    else for (const listener of this.#listeners) listener.onRecords(...records)
  }

  publishEphemeral(...events: Parameters<BusListener['onEphemeral']>): void {
    for (const listener of this.#listeners) listener.onEphemeral(...events)
  }

  subscribe(listener: BusListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#listeners.clear()
  }
}
