import type { WorkBounds } from './bounded-work.js'
import { FairQueue } from './fair-queue.js'
import type { MadeKey } from './limit-keys.js'

/** The work was refused, because too much of it waits. */
export class TooMuchWorkError extends Error {}

/** Runs asynchronous work of several clients, none of which can take all of the slots. */
export class SharedWork {
  readonly #waiting: FairQueue
  /** How many pieces run, by key; keys without any are absent. */
  readonly #runningByKey = new Map<string, number>()
  #running = 0

  constructor(private readonly bounds: WorkBounds & { readonly maxRunningPerKey: number }) {
    this.#waiting = new FairQueue(bounds.maxWaiting)
  }

  /**
   * @param key identifies the client.
   * @throws {TooMuchWorkError} if too much waits, at once or later: work of clients that have less
   *   waiting displaces it.
   */
  async run<Result>(key: MadeKey, work: () => Promise<Result>): Promise<Result> {
    if (this.#mayStart(key)) this.#begin(key)
    else await this.#wait(key)
    try {
      return await work()
    } finally {
      this.#end(key)
    }
  }

  readonly #mayStart = (key: string): boolean =>
    this.#running < this.bounds.maxRunning &&
    (this.#runningByKey.get(key) ?? 0) < this.bounds.maxRunningPerKey

  #begin(key: string): void {
    this.#running += 1
    this.#runningByKey.set(key, (this.#runningByKey.get(key) ?? 0) + 1)
  }

  async #wait(key: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        this.#begin(key)
        resolve()
      }
      const refuse = (): void => reject(new TooMuchWorkError('Too much work is waiting'))
      this.#waiting.add(key, { start, refuse })
    })
  }

  #end(key: string): void {
    this.#running -= 1
    const left = (this.#runningByKey.get(key) ?? 1) - 1
    if (left > 0) this.#runningByKey.set(key, left)
    else this.#runningByKey.delete(key)
    this.#waiting.take(this.#mayStart)?.start()
  }
}
