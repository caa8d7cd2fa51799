import type { Clock } from '../../kernel/clock.js'

/** How long a transaction that conflicted with others is retried, in milliseconds. */
export const retryDeadlineMilliseconds = 2000
const firstDelayMilliseconds = 10
const maxDelayMilliseconds = 500

/**
 * Schedules the retries of a transaction that conflicted with others: the first immediately,
 * because the others have continued since, later ones after growing pauses of random length.
 * Without randomness, processes that conflict would collide again each time.
 */
export class Retries {
  readonly #deadline: number
  #count = 0

  constructor(
    private readonly clock: Clock,
    deadlineMilliseconds = retryDeadlineMilliseconds,
  ) {
    this.#deadline = clock.now() + deadlineMilliseconds
  }

  /** Waits until the next attempt. @returns false if the deadline has passed. */
  async next(): Promise<boolean> {
    const remaining = this.#deadline - this.clock.now()
    if (remaining <= 0) return false
    const longest = Math.min(
      maxDelayMilliseconds,
      firstDelayMilliseconds * 2 ** Math.min(this.#count - 1, 10),
    )
    this.#count += 1
    if (this.#count > 1) await this.#pause(Math.min(Math.random() * longest, remaining))
    return true
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, milliseconds))
  }
}
