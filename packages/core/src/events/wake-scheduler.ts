import type { LiveQueue } from './live-queue.js'

const perTick = 500

/**
 * Wakes the consumers of queues in later ticks of the event loop: events of one commit are
 * delivered together, and the number per tick is bounded, so that the event loop stays responsive.
 */
export class WakeScheduler {
  readonly #queues = new Set<LiveQueue>()
  #isScheduled = false

  add(live: LiveQueue): void {
    if (live.consumer === undefined) return
    this.#queues.add(live)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#tick())
  }

  #tick(): void {
    let left = perTick
    for (const live of this.#queues) {
      this.#queues.delete(live)
      live.consumer?.wake()
      left -= 1
      if (left === 0) break
    }
    this.#isScheduled = this.#queues.size > 0
    if (this.#isScheduled) setImmediate(() => this.#tick())
  }
}
