import type { OutboxEntry } from './outbox-entry.js'
import type { OutboxStorage } from './pending-message.js'

interface StoredOutbox {
  readonly version: 1
  readonly userId: number
  readonly entries: readonly OutboxEntry[]
}

/** Keeps the entries of an outbox where the application says. */
export class StoredEntries {
  readonly #storage: OutboxStorage | undefined
  readonly #failed: (error: unknown) => void

  /** @param failed called with the error of the storage. */
  constructor(storage: OutboxStorage | undefined, failed: (error: unknown) => void) {
    this.#storage = storage
    this.#failed = failed
  }

  save(userId: number, all: readonly OutboxEntry[]): void {
    // The server has the others.
    const entries = all.filter(({ messageId }) => messageId === undefined)
    const stored: StoredOutbox = { version: 1, userId, entries }
    try {
      this.#storage?.save(JSON.stringify(stored))
    } catch (error) {
      this.#failed(error)
    }
  }

  /** The entries that were saved for this user. */
  load(userId: number, max: number): readonly OutboxEntry[] {
    try {
      // Checked as far as a text of another version or user could differ.
      const stored = JSON.parse(this.#storage?.load() ?? 'null') as StoredOutbox | null
      if (stored?.version !== 1 || stored.userId !== userId) return []
      return stored.entries.slice(0, max).map(restored)
    } catch (error) {
      this.#failed(error)
      return []
    }
  }
}

function restored(entry: OutboxEntry): OutboxEntry {
  const { localId, to, content, createdAtMilliseconds, state, error } = entry.message
  const isFailed = state === 'failed'
  return {
    message: {
      localId,
      to,
      content,
      createdAtMilliseconds,
      state: isFailed ? 'failed' : 'waiting',
      error: isFailed ? error : undefined,
    },
    queueId: entry.queueId,
    firstAttemptAt: entry.firstAttemptAt,
    // The page may have been left in the middle of an attempt.
    isUncertain: entry.isUncertain || (!isFailed && entry.firstAttemptAt !== undefined),
    messageId: undefined,
  }
}
