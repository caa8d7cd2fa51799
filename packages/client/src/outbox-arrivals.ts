import type { Environment } from './environment.js'
import type { OutboxEntry } from './outbox-entry.js'

/** Events are later than answers by less than that, or do not come: the user sees no such event. */
const maxWaitMilliseconds = 30_000

/** Knows which of the messages that were sent have arrived in the store. */
export class OutboxArrivals {
  readonly #environment: Pick<Environment, 'after'>
  readonly #arrived: (hasArrived: (entry: OutboxEntry) => boolean) => void
  /** The newest message of which the client knows. */
  #newestId = -1
  #answeredId = -1
  #cancel: (() => void) | undefined
  /** Whether events can come. */
  isConnected = false

  /** @param arrived called with a condition that is true for messages that have arrived. */
  constructor(
    environment: Pick<Environment, 'after'>,
    arrived: (hasArrived: (entry: OutboxEntry) => boolean) => void,
  ) {
    this.#environment = environment
    this.#arrived = arrived
  }

  /** Messages up to this one are in the store, or will not get there. */
  know(messageId: number): void {
    this.#newestId = Math.max(this.#newestId, messageId)
    this.#arrived(isUpTo(this.#newestId))
  }

  /** Notes that the server has answered with the id of a message. */
  answered(messageId: number): void {
    this.#answeredId = Math.max(this.#answeredId, messageId)
    this.know(this.#newestId)
    this.#watch()
  }

  close(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #watch(): void {
    const messageId = this.#answeredId
    this.#cancel ??= this.#environment.after(maxWaitMilliseconds, () => {
      this.#cancel = undefined
      if (this.isConnected) this.know(messageId)
      if (!this.isConnected || this.#answeredId > messageId) this.#watch()
    })
  }
}

function isUpTo(messageId: number) {
  return (entry: OutboxEntry): boolean =>
    entry.messageId !== undefined && entry.messageId <= messageId
}
