import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

const turnMilliseconds = 10

const uninterrupted = new AsyncLocalStorage<true>()

/** Runs `work` without later turns of the event loop for what {@link LoopTurns} cuts. */
export function withoutTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  return uninterrupted.run(true, work)
}

/**
 * Cuts work that takes long into short pieces, between which whatever else the process does goes
 * on.
 */
export class LoopTurns {
  #endsAt = performance.now() + turnMilliseconds

  /** Whether others have waited long enough for {@link next}. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt && uninterrupted.getStore() === undefined
  }

  /** Goes on in a later turn of the event loop. */
  async next(): Promise<void> {
    if (uninterrupted.getStore() === undefined) await setImmediate()
    this.#endsAt = performance.now() + turnMilliseconds
  }
}
