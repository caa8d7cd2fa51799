import type { Environment } from './environment.js'
import type { LoggedAction } from './log.js'
import type { OutboxEntry } from './outbox-entry.js'
import type { PendingMessage } from './pending-message.js'

/** The entries of an outbox, and the listeners to their changes. */
export class OutboxList {
  readonly #environment: Pick<Environment, 'log'>
  readonly #failed: (error: unknown) => void
  readonly #listeners = new Set<() => void>()
  #entries: readonly OutboxEntry[] = []
  #messages: readonly PendingMessage[] = []
  #notified: readonly PendingMessage[] = []
  #batches = 0

  /** @param failed called with the error of a listener. */
  constructor(environment: Pick<Environment, 'log'>, failed: (error: unknown) => void) {
    this.#environment = environment
    this.#failed = failed
  }

  get entries(): readonly OutboxEntry[] {
    return this.#entries
  }

  get messages(): readonly PendingMessage[] {
    return this.#messages
  }

  find(localId: string): OutboxEntry | undefined {
    return this.#entries.find(({ message }) => message.localId === localId)
  }

  set(entries: readonly OutboxEntry[]): void {
    this.batch(() => {
      this.#entries = entries
      this.#messages = entries.map(({ message }) => message)
    })
  }

  /** @returns whether there was one. */
  removeAll(isRemoved: (entry: OutboxEntry) => boolean): boolean {
    const removed = this.#entries.filter(isRemoved)
    if (removed.length === 0) return false
    for (const { message } of removed) {
      this.#log({ localId: message.localId, state: 'removed', code: undefined })
    }
    this.set(this.#entries.filter((entry) => !isRemoved(entry)))
    return true
  }

  /** Changes an entry. Nothing happens if it is no longer there. */
  change(
    localId: string,
    {
      message,
      ...fields
    }: Partial<Omit<OutboxEntry, 'message'>> & {
      readonly message?: Partial<PendingMessage>
    },
  ): void {
    if (this.find(localId) === undefined) return
    const state = message?.state
    if (state !== undefined) this.#log({ localId, state, code: message?.error?.code })
    this.set(
      this.#entries.map((entry) =>
        entry.message.localId === localId
          ? { ...entry, ...fields, message: { ...entry.message, ...message } }
          : entry,
      ),
    )
  }

  subscribe(listener: () => void): () => void {
    // The same function may be given twice.
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Calls the listeners once, after `change`. */
  batch(change: () => void): void {
    this.#batches += 1
    try {
      change()
    } finally {
      this.#batches -= 1
      if (this.#batches === 0 && this.#notified !== this.#messages) this.#notify()
    }
  }

  #log(fields: Omit<LoggedAction & { kind: 'outbox' }, 'kind'>): void {
    this.#environment.log({ kind: 'outbox', ...fields })
  }

  #notify(): void {
    this.#notified = this.#messages
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        this.#failed(error)
      }
    }
  }
}
