import { performance } from 'node:perf_hooks'

import { threadTimeReader } from './thread-time.js'

const resolutionMilliseconds = 1

/** How long the event loop did not come back to its timers. */
export interface Blocks {
  /** By the processor time of the main thread: what other processes do does not count. */
  readonly longestMilliseconds: number
  readonly p99Milliseconds: number
  /** By the clock. */
  readonly longestDelayMilliseconds: number
}

/**
 * Watches what `monitorEventLoopDelay` watches, but tells work from waiting for the processor. A
 * block is the time that the event loop was busy between two ticks of a timer, or the processor time
 * of its thread where that is less: a thread that was interrupted has been busy by the clock alone.
 */
export class BlockWatch {
  readonly #blocks: number[] = []
  readonly #threadTime = threadTimeReader()
  #longestDelay = 0
  #timer: NodeJS.Timeout | undefined

  start(): void {
    this.#blocks.length = 0
    this.#longestDelay = 0
    let at = performance.now()
    let loop = performance.eventLoopUtilization()
    let computed = this.#threadTime()
    this.#timer = setInterval(() => {
      const now = performance.now()
      const nextLoop = performance.eventLoopUtilization()
      const nextComputed = this.#threadTime()
      this.#blocks.push(Math.min(nextLoop.active - loop.active, nextComputed - computed))
      this.#longestDelay = Math.max(this.#longestDelay, now - at - resolutionMilliseconds)
      at = now
      loop = nextLoop
      computed = nextComputed
    }, resolutionMilliseconds)
  }

  stop(): Blocks {
    clearInterval(this.#timer)
    const sorted = this.#blocks.toSorted((a, b) => a - b)
    const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))]
    return {
      longestMilliseconds: sorted.at(-1) ?? 0,
      p99Milliseconds: p99 ?? 0,
      longestDelayMilliseconds: this.#longestDelay,
    }
  }
}
