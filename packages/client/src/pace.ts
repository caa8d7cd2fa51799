import type { AttemptEnd } from './attempt-end.js'
import { Backoff } from './backoff.js'
import type { Environment } from './environment.js'

/** A connection or queue that has lasted for so long works. */
const lastingMilliseconds = 10_000

/** Requests that are sent at the end must not keep the application waiting. */
export const farewellMilliseconds = 5000

/** How long to wait before the next attempt to be connected. */
export class Pace {
  readonly #environment: Pick<Environment, 'now'>
  readonly #losses = new Backoff()
  readonly #expiries = new Backoff()
  /** Not begun again, because a function that always fails would register again and again. */
  readonly #failures = new Backoff()
  #registeredAt = 0
  /** When the present attempt began to work. */
  #connectedAt: number | undefined
  /** Whether it has brought events. */
  #hasBrought = false

  constructor(environment: Pick<Environment, 'now'>) {
    this.#environment = environment
  }

  /** Whether the present attempt has worked at all. */
  get isConnected(): boolean {
    return this.#connectedAt !== undefined
  }

  begin(): void {
    this.#connectedAt = undefined
    this.#hasBrought = false
  }

  registered(): void {
    this.#registeredAt = this.#environment.now()
  }

  connected(hasBrought: boolean): void {
    this.#connectedAt ??= this.#environment.now()
    this.#hasBrought ||= hasBrought
  }

  /** The user does not want to wait. */
  retryNow(): void {
    this.#losses.reset()
  }

  /** In milliseconds. */
  delayAfter(end: AttemptEnd): number {
    switch (end.kind) {
      case 'lost': {
        if (this.isConnected) this.#losses.reset()
        // A connection that has worked is probably there again at once.
        const own = end.isOpen && this.#hasWorked ? 0 : this.#losses.next()
        return Math.max(own, end.retryAfterMilliseconds ?? 0)
      }
      case 'queueGone':
        return this.#hasPassedSince(this.#registeredAt) ? 0 : this.#losses.next()
      case 'expired':
        if (this.#hasWorked) this.#expiries.reset()
        return this.#expiries.next()
      case 'failed':
        return this.#failures.next()
      default:
        return 0
    }
  }

  get #hasWorked(): boolean {
    const at = this.#connectedAt
    return at !== undefined && (this.#hasBrought || this.#hasPassedSince(at))
  }

  #hasPassedSince(at: number): boolean {
    return this.#environment.now() - at > lastingMilliseconds
  }
}
