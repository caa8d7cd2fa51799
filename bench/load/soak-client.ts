import { once } from 'node:events'

import { WebSocket } from 'ws'

import { History, idsPerEntry, type HistoryDigest } from './history.js'

export interface SoakQueue {
  readonly userId: number
  readonly queueId: string
  readonly lastEventId: number
  readonly authorization: string
}

/** A message as a client shows it. */
export interface ShownMessage {
  readonly id: number
  readonly content: string
  readonly flags: readonly string[]
}

/** A client acknowledges after so many events, and heartbeats. */
const eventsPerAcknowledgement = 20

/** Messages that a client remembers. */
export const rememberedMessages = 50

interface SoakEvent {
  readonly type: string
  readonly id: number
  readonly message?: { readonly id: number; readonly content: string }
  readonly flags?: readonly string[]
  readonly message_id?: number
  readonly rendered_content?: string
  readonly op?: string
  readonly flag?: string
  readonly messages?: readonly number[]
}

type Frame =
  | { readonly queue_id: string; readonly last_event_id: number }
  | { readonly events: readonly SoakEvent[] }

/** A client that keeps its newest messages up to date, and notices what it should not get. */
export class SoakClient {
  readonly #history = new History()
  readonly #messages = new Map<number, ShownMessage>()
  #socket: WebSocket | undefined
  #lastEventId: number
  #unacknowledged = 0
  #waiting: { eventId: number; resolve: () => void } | undefined
  received = 0

  constructor(
    private readonly port: number,
    private readonly queue: SoakQueue,
    private readonly complain: (problem: string) => void,
  ) {
    this.#lastEventId = queue.lastEventId
  }

  get userId(): number {
    return this.queue.userId
  }

  get history(): HistoryDigest {
    return this.#history
  }

  get lastEventId(): number {
    return this.#lastEventId
  }

  /** The newest messages, in order. */
  get messages(): readonly ShownMessage[] {
    return [...this.#messages.values()]
  }

  /** Connects, or drops the connection without a word and continues on another one. */
  async connect(): Promise<void> {
    const { queueId, authorization } = this.queue
    const dropped = this.#socket
    this.#socket = undefined
    dropped?.terminate()
    const socket = new WebSocket(
      `ws://127.0.0.1:${this.port}/api/v1/events?queue_id=${queueId}&last_event_id=${this.#lastEventId}`,
      { headers: { authorization }, perMessageDeflate: false, skipUTF8Validation: true },
    )
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      if (this.#socket === socket) this.#take(socket, JSON.parse(data.toString('utf8')) as Frame)
    })
    socket.on('close', (code, reason) => {
      if (this.#socket === socket) this.#complain(`was closed with ${code} ${reason.toString()}`)
    })
    await once(socket, 'open')
  }

  /** Resolves when the client has got everything up to an entry of the log. */
  async reach(seq: number): Promise<void> {
    const eventId = seq * idsPerEntry
    if (this.#lastEventId >= eventId) return
    await new Promise<void>((resolve) => {
      this.#waiting = { eventId, resolve }
    })
  }

  close(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.terminate()
  }

  #take(socket: WebSocket, frame: Frame): void {
    if ('queue_id' in frame) {
      if (frame.last_event_id === this.#lastEventId) return
      this.#complain(`had got ${this.#lastEventId}, and continues at ${frame.last_event_id}`)
      return
    }
    for (const event of frame.events) this.#apply(event)
    this.received += frame.events.length
    this.#unacknowledged += frame.events.length
    const isDue = this.#unacknowledged >= eventsPerAcknowledgement
    if (isDue || frame.events.some(({ type }) => type === 'heartbeat')) {
      this.#unacknowledged = 0
      socket.send(JSON.stringify({ last_event_id: this.#lastEventId }))
    }
    if (this.#waiting === undefined || this.#lastEventId < this.#waiting.eventId) return
    this.#waiting.resolve()
    this.#waiting = undefined
  }

  #apply(event: SoakEvent): void {
    if (event.id <= this.#lastEventId) {
      this.#complain(`got ${event.type} ${event.id} after ${this.#lastEventId}`)
    }
    this.#lastEventId = event.id
    const seq = Math.floor(event.id / idsPerEntry)
    const { message, message_id: changedId, messages = [] } = event
    if (event.type === 'message' && message !== undefined) {
      this.#history.add(seq, message.id)
      this.#remember({ id: message.id, content: message.content, flags: event.flags ?? [] })
    } else if (event.type === 'update_message' && changedId !== undefined) {
      this.#history.add(seq, changedId)
      this.#change(changedId, ({ content, flags }) => ({
        content: event.rendered_content ?? content,
        flags: event.flags ?? flags,
      }))
    } else if (event.type === 'update_message_flags' && event.flag !== undefined) {
      const { flag, op } = event
      for (const id of messages) {
        this.#change(id, ({ content, flags }) => {
          const others = flags.filter((name) => name !== flag)
          return { content, flags: op === 'add' ? [...others, flag] : others }
        })
      }
    }
  }

  #remember(message: ShownMessage): void {
    this.#messages.set(message.id, message)
    if (this.#messages.size <= rememberedMessages) return
    for (const oldestId of this.#messages.keys()) {
      this.#messages.delete(oldestId)
      return
    }
  }

  #change(id: number, changed: (message: ShownMessage) => Omit<ShownMessage, 'id'>): void {
    const message = this.#messages.get(id)
    if (message !== undefined) this.#messages.set(id, { id, ...changed(message) })
  }

  #complain(problem: string): void {
    this.complain(`A client of user ${this.userId} ${problem}`)
  }
}
