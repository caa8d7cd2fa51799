/** The maximum numbers of concurrent and of waiting pieces of work. */
export interface WorkBounds {
  readonly maxRunning: number
  readonly maxWaiting: number
}

/** Runs asynchronous work in order of arrival, with limited concurrency. */
export class BoundedWork {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(private readonly bounds: WorkBounds) {}

  /** Whether the limit is reached and more work must be refused. */
  get isFull(): boolean {
    return this.#running >= this.bounds.maxRunning && this.#waiting.length >= this.bounds.maxWaiting
  }

  /** @throws {Error} if it {@link isFull}, which the caller must have checked. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isFull) throw new Error('Too much work is waiting')
    if (this.#running < this.bounds.maxRunning) this.#running += 1
    // Work that ends hands its slot to the next.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
