import { ChatError } from '../../errors/index.js'
import type { Clock, Timer } from '../../kernel/clock.js'
import type { EventDelivery } from '../delivery.js'
import type { LiveQueue, QueueConsumer, ReleaseReason } from './live-queue.js'
import type { SessionCheck } from './session-check.js'
import type { EventBatch } from './shared-events.js'

/** Maximum random share that is added to the heartbeat interval. */
export const heartbeatJitter = 10 / 45

/** A quarter of a second apart by default. */
const heartbeatSteps = 40

/**
 * The delay before one heartbeat: jittered, so that waiting clients do not all poll at the same
 * time. There are few different delays, because Node.js keeps a list of the timers of each.
 */
export function heartbeatDelayMilliseconds(heartbeatSeconds: number): number {
  const step = Math.floor(Math.random() * (heartbeatSteps + 1))
  return Math.round(heartbeatSeconds * 1000 * (1 + (step / heartbeatSteps) * heartbeatJitter))
}

/** Whether an error says that the queue has ended; otherwise its log cannot be read now. */
export function isFinal(error: unknown): error is ChatError {
  return error instanceof ChatError && error.code !== 'SERVICE_UNAVAILABLE'
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
  #stopListening: (() => void) | undefined
  #collecting = false
  #woken = false
  #done = false

  constructor(
    private readonly delivery: EventDelivery,
    private readonly live: LiveQueue,
    private readonly cursor: number,
    /** Calls its argument when the client disconnects; returns how to stop that. */
    onDisconnect: (listener: () => void) => () => void,
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
    if (!delivery.takesWaiters) {
      this.#finish([])
      return
    }
    this.#stopListening = onDisconnect(() => this.#finish([]))
    // The client had already disconnected.
    if (this.#done) return
    this.#timer = clock.setTimeout(
      () => void this.#beat(),
      heartbeatDelayMilliseconds(heartbeatSeconds),
    )
    // Delivers events that arrived since the caller's read.
    this.wake()
  }

  wake(): void {
    this.#woken = true
    if (this.#collecting) return
    this.#collect()
  }

  /** The answer is sent when it is resolved, after the tick. */
  send(): void {}

  release(reason: ReleaseReason): void {
    if (reason === 'sessionEnded' && this.session !== undefined) this.#refuse(this.session.refusal)
    else this.#finish([])
  }

  /** Synchronous as long as the log is in memory, as it usually is. */
  #collect(): void {
    if (!this.#woken || this.#done) return
    this.#woken = false
    try {
      const batch = this.delivery.collect(this.live, this.cursor)
      if (batch instanceof Promise) void this.#collectLater(batch)
      else this.#take(batch)
    } catch (error) {
      this.#fail(error)
    }
  }

  async #collectLater(batch: Promise<EventBatch>): Promise<void> {
    this.#collecting = true
    try {
      this.#take(await batch)
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#collecting = false
    }
    this.#collect()
  }

  #take({ events }: EventBatch): void {
    if (events.length > 0) this.#finish(events)
  }

  #fail(error: unknown): void {
    // The client gets the error with its next request.
    if (isFinal(error)) this.#finish([])
    // Otherwise the database is unavailable: the poll stays, and the next event or heartbeat, or
    // the client's next poll, tries again.
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
    this.#stopListening?.()
    if (this.live.consumer === this) this.live.consumer = undefined
    this.live.usedAtMilliseconds = this.clock.now()
    return true
  }
}
