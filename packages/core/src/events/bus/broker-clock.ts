import { performance } from 'node:perf_hooks'

/** An answer that took longer says too little: the time may be wrong by half of that. */
const maxAnswerMilliseconds = 2000

/** The clock of a broker, by which processes compare times although their own clocks differ. */
export class BrokerClock {
  /** The milliseconds to add to the clock of this process, which never jumps. */
  #offset: number | undefined

  /** In milliseconds; undefined before the first answer. */
  now(): number | undefined {
    return this.#offset === undefined ? undefined : Math.round(performance.now() + this.#offset)
  }

  /** @param ask gets the time of the broker, in UNIX milliseconds. */
  async read(ask: () => Promise<number>): Promise<void> {
    const askedAt = performance.now()
    const time = await ask()
    const answeredAt = performance.now()
    if (answeredAt - askedAt > maxAnswerMilliseconds) return
    const offset = time - (askedAt + answeredAt) / 2
    this.#offset = Number.isFinite(offset) ? offset : undefined
  }
}
