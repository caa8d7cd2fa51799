import { ChatError } from '../errors/index.js'
import type { Clock, Timer } from '../kernel/clock.js'
import type { EventBatch } from './event-batch-builder.js'
import type { EventDelivery } from './delivery.js'
import type { LiveQueue, QueueConsumer, ReleaseReason } from './live-queue.js'
import type { SessionCheck } from './session-check.js'

/** Maximum random share that is added to the heartbeat interval. */
export const heartbeatJitter = 10 / 45

/**
 * The delay before one heartbeat: jittered, so that waiting clients do not all poll at the same
 * time.
 */
export function heartbeatDelayMilliseconds(heartbeatSeconds: number): number {
  return heartbeatSeconds * 1000 * (1 + Math.random() * heartbeatJitter)
}

/**
 * Holds a request until its queue has an event, or sends a heartbeat after a while. Answers with an
 * empty list when another poll takes over, the queue is deleted, or the server closes.
 */
export class LongPoll implements QueueConsumer {
  /** Rejects with a `ChatError` if the application's session ends meanwhile. */
  readonly answer: Promise<readonly string[]>
  readonly isBySession: boolean
  #resolve!: (events: readonly string[]) => void
  #reject!: (refusal: ChatError) => void
  #timer: Timer | undefined
  #collecting = false
  #woken = false
  #done = false

  constructor(
    private readonly delivery: EventDelivery,
    private readonly live: LiveQueue,
    private readonly cursor: number,
    private readonly signal: AbortSignal,
    private readonly clock: Clock,
    heartbeatSeconds: number,
    private readonly session?: SessionCheck,
  ) {
    this.isBySession = session !== undefined
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    live.consumer?.release('superseded')
    live.consumer = this
    // The client has already disconnected, or the server is draining: answer at once.
    if (signal.aborted || !delivery.takesWaiters) {
      this.#finish([])
      return
    }
    signal.addEventListener('abort', this.#onAbort)
    this.#timer = clock.setTimeout(
      () => void this.#beat(),
      heartbeatDelayMilliseconds(heartbeatSeconds),
    )
    // Delivers what arrived since the caller's read.
    this.wake()
  }

  wake(): void {
    this.#woken = true
    if (this.#collecting || this.#done) return
    void this.#collect()
  }

  release(reason: ReleaseReason): void {
    if (reason === 'sessionEnded' && this.session !== undefined) this.#refuse(this.session.refusal)
    else this.#finish([])
  }

  readonly #onAbort = (): void => this.#finish([])

  async #collect(): Promise<void> {
    this.#collecting = true
    try {
      while (this.#woken && !this.#done) {
        this.#woken = false
        const batch: EventBatch = await this.delivery.collect(this.live, this.cursor)
        if (batch.events.length > 0) this.#finish(batch.events)
      }
    } catch (error) {
      // The client gets the error with its next request.
      if (error instanceof ChatError) this.#finish([])
      // Otherwise the database is unavailable: the poll stays, and the next event or heartbeat, or
      // the client's next poll, tries again.
    } finally {
      this.#collecting = false
    }
  }

  async #beat(): Promise<void> {
    const refusal = await this.session?.check()
    if (this.#done) return
    if (refusal !== undefined) {
      this.#refuse(refusal)
      return
    }
    const id = this.delivery.ephemeralId(this.live)
    this.#finish(id === undefined ? [] : [`{"type":"heartbeat","id":${id}}`])
  }

  #finish(events: readonly string[]): void {
    if (this.#end()) this.#resolve(events)
  }

  #refuse(refusal: ChatError): void {
    if (this.#end()) this.#reject(refusal)
  }

  /** @returns false if it had ended before. */
  #end(): boolean {
    if (this.#done) return false
    this.#done = true
    this.#timer?.cancel()
    this.signal.removeEventListener('abort', this.#onAbort)
    if (this.live.consumer === this) this.live.consumer = undefined
    this.live.usedAtMilliseconds = this.clock.now()
    return true
  }
}
