import { setTimeout as sleep } from 'node:timers/promises'

const patienceMilliseconds = 5000

/** The requests that are being answered, so that closing can wait for them. */
export class CallsUnderWay {
  #count = 0
  #onIdle: (() => void) | undefined

  /** Call {@link end} when the request is answered. */
  begin(): void {
    this.#count += 1
  }

  end(): void {
    this.#count -= 1
    if (this.#count === 0) this.#onIdle?.()
  }

  async track<Result>(call: Promise<Result>): Promise<Result> {
    this.begin()
    try {
      return await call
    } finally {
      this.end()
    }
  }

  /** Resolves when no call is left, or when no call has ended for too long. */
  async idle(): Promise<void> {
    if (this.#count === 0) return
    const patience = new AbortController()
    const allDone = new Promise<void>((resolve) => (this.#onIdle = resolve))
    // A hook of the application may never settle.
    await Promise.race([
      allDone,
      sleep(patienceMilliseconds, undefined, { signal: patience.signal }),
    ])
    patience.abort()
  }
}
