import { setImmediate } from 'node:timers/promises'

const turnMilliseconds = 10

/**
 * Cuts work that takes long into short pieces, between which whatever else the process does goes
 * on.
 */
export class LoopTurns {
  #endsAt = performance.now() + turnMilliseconds

  /** Whether others have waited long enough for {@link next}. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /** Goes on in a later turn of the event loop. */
  async next(): Promise<void> {
    await setImmediate()
    this.#endsAt = performance.now() + turnMilliseconds
  }
}
