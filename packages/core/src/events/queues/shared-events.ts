import { eventsText, textFrame } from '../sockets/event-frame.js'

/** The events that a queue's client does not have yet. */
export interface EventBatch {
  /** JSON texts of events, ids increasing. */
  readonly events: readonly string[]
  /** The id of the last of them; the client's cursor if there are none. */
  readonly lastId: number
  /** Whether more events follow these. */
  readonly hasMore: boolean
  /** The parts that the events consist of, if other queues may get all of them too. */
  readonly parts: readonly SharedEvents[] | undefined
}

/** The events of an entry as they are for many queues, and the frame of WebSockets with them. */
export class SharedEvents {
  #frame: Buffer | undefined
  #batch: EventBatch | undefined

  /**
   * @param texts JSON of events with consecutive ids.
   * @param firstId the id of the first of them.
   */
  constructor(
    readonly texts: readonly string[],
    readonly firstId: number,
  ) {}

  get lastId(): number {
    return this.firstId + this.texts.length - 1
  }

  get frame(): Buffer {
    this.#frame ??= textFrame(eventsText(this.texts))
    return this.#frame
  }

  /** These events alone. */
  get batch(): EventBatch {
    const { texts, lastId } = this
    this.#batch ??= { events: texts, lastId, hasMore: false, parts: [this] }
    return this.#batch
  }
}

/** A sequence of parts: its frame, and the sequences with one more part. */
interface Prefix {
  frame?: Buffer
  readonly longer: Map<SharedEvents, Prefix>
}

/**
 * The frames of several entries at once. Sockets at the same place in the log are woken together,
 * so such a frame is kept until the current tick of the event loop has ended.
 */
export class SharedFrames {
  #start: Prefix | undefined

  /** @param parts not empty. */
  of(parts: readonly SharedEvents[]): Buffer {
    const [first] = parts
    if (first !== undefined && parts.length === 1) return first.frame
    let prefix = this.#startOfTick()
    for (const part of parts) {
      let longer = prefix.longer.get(part)
      if (longer === undefined) {
        longer = { longer: new Map() }
        prefix.longer.set(part, longer)
      }
      prefix = longer
    }
    prefix.frame ??= textFrame(eventsText(parts.flatMap(({ texts }) => texts)))
    return prefix.frame
  }

  #startOfTick(): Prefix {
    if (this.#start === undefined) {
      this.#start = { longer: new Map() }
      setImmediate(() => (this.#start = undefined))
    }
    return this.#start
  }
}
