import type { Clock, Timer } from '@parley/core'

import { within, type WaitOptions } from './waiting.js'

interface Waiting {
  readonly at: number
  readonly delaySeconds: number
  readonly callback: () => void
}

interface Watcher {
  readonly what: 'set' | 'cancelled'
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly notice: () => void
}

const longestRetryPauseMilliseconds = 500

/** A clock that only advances when a test advances it. */
export class FakeClock implements Clock {
  #now: number
  #pausedMilliseconds = 0
  readonly #waiting = new Set<Waiting>()
  readonly #watchers = new Set<Watcher>()

  constructor(now = Date.UTC(2026, 0, 15, 12)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  monotonicMilliseconds(): number {
    return this.#pausedMilliseconds
  }

  /** Stops the process for a while, as far as it can measure that, without firing timers. */
  pause(seconds: number): void {
    this.jump(seconds)
    this.#pausedMilliseconds += seconds * 1000
  }

  /** UNIX seconds. */
  get seconds(): number {
    return Math.floor(this.#now / 1000)
  }

  /** The number of pending timers. */
  get pendingTimers(): number {
    return this.#waiting.size
  }

  setTimeout(callback: () => void, delayMilliseconds: number): Timer {
    // The pause of random length before a transaction is retried: no test knows when to end it.
    if (
      !Number.isInteger(delayMilliseconds) &&
      delayMilliseconds <= longestRetryPauseMilliseconds
    ) {
      const timer = setTimeout(callback, delayMilliseconds)
      return { cancel: () => clearTimeout(timer) }
    }
    const delaySeconds = delayMilliseconds / 1000
    const waiting = { at: this.#now + delayMilliseconds, delaySeconds, callback }
    this.#waiting.add(waiting)
    this.#report('set', delaySeconds)
    return {
      cancel: () => {
        if (this.#waiting.delete(waiting)) this.#report('cancelled', delaySeconds)
      },
    }
  }

  /**
   * Resolves when a timer with a delay in this span is set (or cancelled) from now on. So a test
   * can wait until a request is parked or a sweep has ended.
   *
   * @throws {Error} with the delays of the pending timers, if none is set (or cancelled) in time.
   */
  next(
    what: Watcher['what'],
    fromSeconds: number,
    toSeconds = fromSeconds,
    options?: WaitOptions,
  ): Promise<void> {
    const span = fromSeconds === toSeconds ? `${toSeconds}` : `${fromSeconds} to ${toSeconds}`
    const coming = new Promise<void>((resolve) => {
      const watcher: Watcher = {
        what,
        fromSeconds,
        toSeconds,
        notice: () => {
          this.#watchers.delete(watcher)
          resolve()
        },
      }
      this.#watchers.add(watcher)
    })
    return within(`a timer of ${span} seconds to be ${what}`, coming, {
      instead: () => [...this.#waiting].map(({ delaySeconds }) => delaySeconds),
      ...options,
    })
  }

  /** Whether a timer with this delay is pending. */
  has(delaySeconds: number): boolean {
    return [...this.#waiting].some((waiting) => waiting.delaySeconds === delaySeconds)
  }

  /** Sets the clock to another time without firing timers, as an administrator may. */
  jump(seconds: number): void {
    this.#now += seconds * 1000
  }

  /** Sets the clock to the next full second, unless it is there already. */
  reachFullSecond(): void {
    this.#now = Math.ceil(this.#now / 1000) * 1000
  }

  /**
   * Calls the pending timers that were set with this delay, and no others.
   *
   * @returns their number.
   */
  fire(delaySeconds: number): number {
    const due = [...this.#waiting].filter((waiting) => waiting.delaySeconds === delaySeconds)
    for (const waiting of due) {
      this.#waiting.delete(waiting)
      waiting.callback()
    }
    return due.length
  }

  #report(what: Watcher['what'], delaySeconds: number): void {
    for (const watcher of this.#watchers) {
      const isIn = delaySeconds >= watcher.fromSeconds && delaySeconds <= watcher.toSeconds
      if (watcher.what === what && isIn) watcher.notice()
    }
  }

  /** Advances the clock, calling every due timer in order. */
  advance(seconds: number): void {
    const end = this.#now + seconds * 1000
    for (;;) {
      const next = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#waiting.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
    }
    this.#now = end
  }
}
