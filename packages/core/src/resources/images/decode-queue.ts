import { ChatError } from '../../errors/index.js'

/** More images than this do not wait to be decoded; a decode takes at most ten seconds. */
export const maxWaitingDecodes = 16

/**
 * Runs one decode at a time. A decode occupies a thread of the pool that SQLite, name lookups and
 * files use too, a processor, and up to 160 MB of memory.
 */
export class DecodeQueue {
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  /** @throws {ChatError} `SERVICE_UNAVAILABLE` if too many decodes are waiting already. */
  async run<Result>(decode: () => Promise<Result>): Promise<Result> {
    if (this.#waiting > maxWaitingDecodes) throw new ChatError('SERVICE_UNAVAILABLE')
    this.#waiting += 1
    const result = this.#last.then(decode)
    this.#last = result.then(
      () => {},
      () => {},
    )
    try {
      return await result
    } finally {
      this.#waiting -= 1
    }
  }
}
