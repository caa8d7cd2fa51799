import type { Clock, Timer } from '@parley/core'

interface Waiting {
  readonly at: number
  readonly callback: () => void
}

/** A clock that only moves when a test says so. */
export class FakeClock implements Clock {
  #now: number
  readonly #waiting = new Set<Waiting>()

  constructor(now = Date.UTC(2026, 0, 15, 12)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  /** UNIX seconds. */
  get seconds(): number {
    return Math.floor(this.#now / 1000)
  }

  setTimeout(callback: () => void, delayMilliseconds: number): Timer {
    const waiting = { at: this.#now + delayMilliseconds, callback }
    this.#waiting.add(waiting)
    return { cancel: () => this.#waiting.delete(waiting) }
  }

  /** Moves on, calling every timer that falls due, in order. */
  advance(seconds: number): void {
    const end = this.#now + seconds * 1000
    for (;;) {
      const next = [...this.#waiting]
        .filter(({ at }) => at <= end)
        .sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#waiting.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
    }
    this.#now = end
  }
}
