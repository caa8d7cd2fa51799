import type { LiveQueue } from './live-queue.js'

const perTurn = 500

/**
 * Wakes the consumers of queues in later turns of the event loop: what commits together is
 * delivered together, and a bounded number a turn never holds the application up for long.
 */
export class WakeTurns {
  readonly #queues = new Set<LiveQueue>()
  #isScheduled = false

  add(live: LiveQueue): void {
    if (live.consumer === undefined) return
    this.#queues.add(live)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    let left = perTurn
    for (const live of this.#queues) {
      this.#queues.delete(live)
      live.consumer?.wake()
      left -= 1
      if (left === 0) break
    }
    this.#isScheduled = this.#queues.size > 0
    if (this.#isScheduled) setImmediate(() => this.#turn())
  }
}
