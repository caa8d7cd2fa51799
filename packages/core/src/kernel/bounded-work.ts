/** How much is done at once, and how much waits. */
export interface WorkBounds {
  readonly maxRunning: number
  readonly maxWaiting: number
}

/** Runs asynchronous work in the order in which it comes, a few pieces at a time. */
export class BoundedWork {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(private readonly bounds: WorkBounds) {}

  /** Whether another piece of work would be one too many. */
  get isFull(): boolean {
    return this.#running >= this.bounds.maxRunning && this.#waiting.length >= this.bounds.maxWaiting
  }

  /** @throws {Error} if it {@link isFull}, which the caller must have checked. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isFull) throw new Error('Too much work is waiting')
    if (this.#running < this.bounds.maxRunning) this.#running += 1
    // Work that ends passes its place on.
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
