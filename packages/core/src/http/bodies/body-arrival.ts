import { ChatError } from '../../errors/index.js'
import type { Clock, Timer } from '../../kernel/clock.js'

const maxIdleMilliseconds = 30_000
const maxFormMilliseconds = 300_000
const minUploadBytesPerSecond = 8 * 1024

/**
 * Times out a body that does not arrive: after 30 seconds without a byte, or after five minutes in
 * all. A body whose file is streamed may take longer, as long as it brings 8 KiB for each further
 * second: 100 MiB take three and a half hours at most.
 *
 * Time in which the server does not read does not count.
 */
export class BodyArrival {
  readonly #clock: Clock
  readonly #isReceived: boolean
  readonly #onLate: (error: ChatError) => void
  #startedAt: number
  #progressAt: number
  #pausedAt: number | undefined
  #bytes = 0
  #timer: Timer | undefined

  /** @param onLate called once, if the body times out. */
  constructor(clock: Clock, isReceived: boolean, onLate: (error: ChatError) => void) {
    this.#clock = clock
    this.#isReceived = isReceived
    this.#onLate = onLate
    this.#startedAt = this.#progressAt = clock.now()
    this.#wait()
  }

  take(byteLength: number): void {
    this.#bytes += byteLength
    this.#progressAt = this.#clock.now()
  }

  pause(): void {
    this.#pausedAt ??= this.#clock.now()
    this.#timer?.cancel()
  }

  resume(): void {
    if (this.#pausedAt === undefined) return
    const pause = this.#clock.now() - this.#pausedAt
    this.#pausedAt = undefined
    this.#startedAt += pause
    this.#progressAt += pause
    this.#wait()
  }

  end(): void {
    this.#timer?.cancel()
  }

  get #dueAt(): number {
    const extraSeconds = this.#isReceived ? this.#bytes / minUploadBytesPerSecond : 0
    const all = this.#startedAt + maxFormMilliseconds + extraSeconds * 1000
    return Math.min(this.#progressAt + maxIdleMilliseconds, all)
  }

  /** One timer that checks again when it fires, instead of one for each chunk. */
  #wait(): void {
    const delay = Math.max(0, this.#dueAt - this.#clock.now())
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#clock.now() < this.#dueAt) this.#wait()
      else this.#onLate(new ChatError('REQUEST_TIMEOUT'))
    }, delay)
  }
}
