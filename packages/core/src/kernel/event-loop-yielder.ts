import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

const sliceMilliseconds = 10

const uninterrupted = new AsyncLocalStorage<true>()

/** Runs `work` so that no {@link EventLoopYielder} in it yields. */
export function withoutYielding<Result>(work: () => Promise<Result>): Promise<Result> {
  return uninterrupted.run(true, work)
}

/** Lets long work yield to the event loop after each slice of some milliseconds. */
export class EventLoopYielder {
  #endsAt = performance.now() + sliceMilliseconds

  /** Whether the current slice is over, and {@link yield} should be called. */
  get isDue(): boolean {
    return performance.now() >= this.#endsAt && uninterrupted.getStore() === undefined
  }

  /** Yields to the event loop, and starts the next slice. */
  async yield(): Promise<void> {
    if (uninterrupted.getStore() === undefined) await setImmediate()
    this.#endsAt = performance.now() + sliceMilliseconds
  }
}
