import type { Clock } from '../kernel/clock.js'

/** For how long a transaction that others have made fail is run again, in milliseconds. */
export const retryDeadlineMilliseconds = 2000
const firstDelayMilliseconds = 10
const maxDelayMilliseconds = 500

/**
 * When a transaction that others have made fail is run again: at once, because they have gone on
 * since, and then after pauses of random length, which grow. Without chance, processes that keep
 * each other from committing would meet again each time.
 */
export class Retries {
  readonly #deadline: number
  #count = 0

  constructor(private readonly clock: Clock) {
    this.#deadline = clock.now() + retryDeadlineMilliseconds
  }

  /** Waits until the next attempt is due. @returns false if the deadline has passed. */
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
