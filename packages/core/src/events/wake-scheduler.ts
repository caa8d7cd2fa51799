import type { LiveQueue, QueueConsumer } from './live-queue.js'

const perTick = 500

/**
 * Wakes the consumers of queues in later ticks of the event loop: events of one commit are
 * delivered together, and the number per tick is bounded, so that the event loop stays responsive.
 * First all of them look for events, then all send: each half takes less time on its own, because
 * code and data stay in the processor's cache.
 */
export class WakeScheduler {
  readonly #queues = new Set<LiveQueue>()
  #isScheduled = false

  readonly add = (live: LiveQueue): void => {
    if (live.consumer === undefined) return
    this.#queues.add(live)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#tick())
  }

  #tick(): void {
    const woken: QueueConsumer[] = []
    for (const live of this.#queues) {
      this.#queues.delete(live)
      const { consumer } = live
      if (consumer === undefined) continue
      consumer.wake()
      woken.push(consumer)
      if (woken.length === perTick) break
    }
    for (const consumer of woken) consumer.send()
    this.#isScheduled = this.#queues.size > 0
    if (this.#isScheduled) setImmediate(() => this.#tick())
  }
}
