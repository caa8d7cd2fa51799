const firstMilliseconds = 500
const maxMilliseconds = 30_000

/** The delays between attempts: twice as long each time, and random, so that clients spread out. */
export class Backoff {
  #attempts = 0

  next(): number {
    const most = Math.min(maxMilliseconds, firstMilliseconds * 2 ** this.#attempts)
    this.#attempts += 1
    return most * (0.5 + Math.random() / 2)
  }

  reset(): void {
    this.#attempts = 0
  }
}
