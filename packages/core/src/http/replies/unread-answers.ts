import { Readable } from 'node:stream'

import type { Clock, Timer } from '../../kernel/clock.js'

/** The memory of all answers of a server that are unsent because their clients do not read. */
const maxHeldBytes = 256 * 1024 * 1024
/** A client that reads nothing of a long answer for as long gets no more of it. */
const stalledMilliseconds = 30_000
const partBytes = 64 * 1024

/** A long body in memory, which is read in parts. */
export class HeldBody extends Readable {
  readonly #parts: Iterator<Buffer>
  /** Called when the client has read a part. */
  onRead = (): void => {}

  /** @param heldBytes the memory that it takes; parts may be shared with other bodies. */
  constructor(
    parts: readonly Buffer[],
    readonly heldBytes: number,
  ) {
    super()
    this.#parts = parts.values()
  }

  /** A body that is one buffer. */
  static of(whole: Buffer): HeldBody {
    const parts: Buffer[] = []
    for (let start = 0; start < whole.length; start += partBytes) {
      parts.push(whole.subarray(start, start + partBytes))
    }
    return new HeldBody(parts, whole.length)
  }

  override _read(): void {
    this.onRead()
    const { done, value } = this.#parts.next()
    this.push(done === true ? null : value)
  }
}

/**
 * The long answers that are being read. If they take too much memory, or are not read, connections
 * end: first those whose clients have not read for the longest time.
 */
export class UnreadAnswers {
  /** The one that was not read for the longest time first. */
  readonly #bodies = new Map<HeldBody, Timer>()
  #heldBytes = 0

  constructor(
    private readonly clock: Clock,
    private readonly maxBytes = maxHeldBytes,
  ) {}

  add(body: HeldBody): void {
    this.#heldBytes += body.heldBytes
    this.#wait(body)
    body.onRead = () => {
      this.#bodies.get(body)?.cancel()
      if (this.#bodies.delete(body)) this.#wait(body)
    }
    body.once('close', () => this.#forget(body))
    for (const [longest] of this.#bodies) {
      if (this.#heldBytes <= this.maxBytes) return
      this.#end(longest)
    }
  }

  #wait(body: HeldBody): void {
    const timer = this.clock.setTimeout(() => this.#end(body), stalledMilliseconds)
    this.#bodies.set(body, timer)
  }

  #end(body: HeldBody): void {
    this.#forget(body)
    // Without an error, which the framework would log.
    body.destroy()
  }

  #forget(body: HeldBody): void {
    const timer = this.#bodies.get(body)
    if (timer === undefined) return
    timer.cancel()
    this.#bodies.delete(body)
    this.#heldBytes -= body.heldBytes
  }
}
