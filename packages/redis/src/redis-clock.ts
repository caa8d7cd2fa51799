import { performance } from 'node:perf_hooks'

/** An answer that took longer says too little: the time may be wrong by half of that. */
const maxAnswerMilliseconds = 2000

/** The clock of the Redis server, by which processes compare times although their own clocks differ. */
export class RedisClock {
  /** The milliseconds to add to the clock of this process, which never jumps. */
  #offset: number | undefined

  /** In milliseconds; undefined before the first answer. */
  now(): number | undefined {
    return this.#offset === undefined ? undefined : Math.round(performance.now() + this.#offset)
  }

  /** @param ask sends the command `TIME`. */
  async read(ask: () => Promise<unknown>): Promise<void> {
    const askedAt = performance.now()
    const reply = await ask()
    const answeredAt = performance.now()
    if (answeredAt - askedAt > maxAnswerMilliseconds) return
    const [seconds, microseconds] = Array.isArray(reply) ? reply.map(Number) : []
    if (seconds === undefined || microseconds === undefined) return
    const time = seconds * 1000 + microseconds / 1000
    const offset = time - (askedAt + answeredAt) / 2
    this.#offset = Number.isFinite(offset) ? offset : undefined
  }
}
