/** A piece of work that waits to be started. */
export interface Waiter {
  start(): void
  refuse(): void
}

/**
 * Work that waits, by the client that it is for: each key has one piece started before any key has a
 * second. If the queue is full, work of a key that has fewer waiting displaces the newest of the
 * key with the most.
 */
export class FairQueue {
  /** The keys in the order in which they are served; each has at least one waiter. */
  readonly #byKey = new Map<string, Waiter[]>()
  #size = 0

  constructor(private readonly maxWaiting: number) {}

  add(key: string, waiter: Waiter): void {
    const own = this.#byKey.get(key) ?? []
    if (this.#size >= this.maxWaiting && !this.#displace(own.length)) {
      waiter.refuse()
      return
    }
    own.push(waiter)
    this.#byKey.set(key, own)
    this.#size += 1
  }

  /** The next one, of those keys that may start one. */
  take(mayStart: (key: string) => boolean = () => true): Waiter | undefined {
    for (const [key, waiters] of this.#byKey) {
      if (!mayStart(key)) continue
      const next = waiters.shift()
      // Moves the key to the end: the other keys are served first the next time.
      this.#byKey.delete(key)
      if (waiters.length > 0) this.#byKey.set(key, waiters)
      this.#size -= 1
      return next
    }
    return undefined
  }

  /**
   * Refuses a waiting job of the key with the most, if that key has at least two more than
   * `ownCount`.
   *
   * @returns whether a job was refused.
   */
  #displace(ownCount: number): boolean {
    let longest: Waiter[] = []
    for (const waiters of this.#byKey.values()) {
      if (waiters.length > longest.length) longest = waiters
    }
    if (longest.length <= ownCount + 1) return false
    longest.pop()?.refuse()
    this.#size -= 1
    return true
  }
}
