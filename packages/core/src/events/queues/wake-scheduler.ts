import type { Clock } from '../../kernel/clock.js'
import type { DeliveryMessage } from '../../kernel/telemetry/spans.js'
import type { Telemetry } from '../../kernel/telemetry/telemetry.js'
import type { LiveQueue, QueueConsumer } from './live-queue.js'

const perTick = 500

/** The report on the deliveries from the first queue that was added to the last. */
interface ReportedDelivery {
  readonly message: DeliveryMessage
  readonly end: () => void
}

/**
 * Wakes the consumers of queues in later ticks of the event loop: events of one commit are
 * delivered together, and the number per tick is bounded, so that the event loop stays responsive.
 * First all of them look for events, then all send: each half takes less time on its own, because
 * code and data stay in the processor's cache.
 */
export class WakeScheduler {
  readonly #queues = new Set<LiveQueue>()
  #isScheduled = false
  #reported: ReportedDelivery | undefined
  #oldestCommitMilliseconds = Infinity

  constructor(
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  readonly add = (live: LiveQueue): void => {
    if (live.consumer === undefined) return
    this.#queues.add(live)
    if (this.#isScheduled) return
    this.#isScheduled = true
    const { deliveries } = this.telemetry
    if (deliveries.isOn) {
      const message: DeliveryMessage = {}
      this.#reported = { message, end: deliveries.begin(message) }
    }
    setImmediate(() => this.#tick())
  }

  /** Notes when the entry that queues were added for was committed. */
  noteCommit(milliseconds: number | undefined): void {
    if (milliseconds === undefined || !this.#isScheduled) return
    if (milliseconds < this.#oldestCommitMilliseconds) this.#oldestCommitMilliseconds = milliseconds
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
    if (this.#reported !== undefined) {
      this.#reported.message.queues = (this.#reported.message.queues ?? 0) + woken.length
    }
    if (this.#isScheduled) setImmediate(() => this.#tick())
    else this.#finish()
  }

  #finish(): void {
    this.#reported?.end()
    this.#reported = undefined
    const since = this.#oldestCommitMilliseconds
    this.#oldestCommitMilliseconds = Infinity
    if (since === Infinity || !this.telemetry.deliveryLag.isOn) return
    this.telemetry.deliveryLag.record(Math.max(0, this.clock.now() - since) / 1000)
  }
}
