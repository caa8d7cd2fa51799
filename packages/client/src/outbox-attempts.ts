import type { Environment } from './environment.js'

/** Conversations in which messages are sent at the same time. */
const maxAttempts = 4

/** The present attempt to send a message, or the delay before the next one. */
export interface Attempt {
  readonly localId: string
  readonly ending: AbortController
  /** Ends the delay; undefined while a request is sent. */
  cancelDelay?: () => void
  /** Whether the server has asked for the delay. */
  isLimited: boolean
  /** Whether the connection was lost meanwhile, so that the answer may never arrive. */
  isDoubtful: boolean
}

/** At most one attempt for each conversation. */
export class OutboxAttempts {
  readonly #environment: Pick<Environment, 'after'>
  readonly #attempts = new Map<string, Attempt>()

  constructor(environment: Pick<Environment, 'after'>) {
    this.#environment = environment
  }

  get isFull(): boolean {
    return this.#attempts.size >= maxAttempts
  }

  has(conversation: string): boolean {
    return this.#attempts.has(conversation)
  }

  begin(conversation: string, localId: string): Attempt {
    const attempt: Attempt = {
      localId,
      ending: new AbortController(),
      isLimited: false,
      isDoubtful: false,
    }
    this.#attempts.set(conversation, attempt)
    return attempt
  }

  /** Whether an attempt was not ended meanwhile. */
  isPresent(conversation: string, attempt: Attempt): boolean {
    return this.#attempts.get(conversation) === attempt
  }

  delete(conversation: string): void {
    this.#attempts.delete(conversation)
  }

  /** Calls `then` after a delay, when the attempt is over. */
  delay(conversation: string, attempt: Attempt, milliseconds: number, then: () => void): void {
    attempt.cancelDelay = this.#environment.after(milliseconds, () => {
      this.#attempts.delete(conversation)
      then()
    })
  }

  /** Ends some attempts. @returns the ids of messages whose requests were sent. */
  end(isEnded: (attempt: Attempt) => boolean): readonly string[] {
    const ended = [...this.#attempts].filter(([, attempt]) => isEnded(attempt))
    for (const [conversation, { cancelDelay, ending }] of ended) {
      this.#attempts.delete(conversation)
      cancelDelay?.()
      ending.abort()
    }
    return ended.flatMap(([, attempt]) => (isDelayed(attempt) ? [] : [attempt.localId]))
  }

  doubt(): void {
    for (const attempt of this.#attempts.values()) attempt.isDoubtful = true
  }
}

/** Whether it is of use to try at once after the connection was lost and is back. */
export function isOutdated(attempt: Attempt): boolean {
  return isDelayed(attempt) ? !attempt.isLimited : attempt.isDoubtful
}

export function isDelayed({ cancelDelay }: Attempt): boolean {
  return cancelDelay !== undefined
}
