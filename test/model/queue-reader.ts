import { names, type RegisterState } from './register-state.js'

const eventTypes = [
  'message',
  'update_message',
  'delete_message',
  'update_message_flags',
  'reaction',
  'submessage',
]

/** What an event says about messages and their flags. */
interface MessageEvent {
  readonly id: number
  readonly type: string
  readonly op?: string
  readonly flag?: string
  readonly flags?: readonly string[]
  readonly message?: { readonly id: number }
  readonly message_id?: number
  readonly message_ids?: readonly number[]
  readonly messages?: readonly number[]
}

/** Event queues of all users, with the events about messages. */
export class QueueReader {
  readonly #queues = new Map<string, { id: string; lastEventId: number }>()
  /** Messages in the order of their ids, which differ between servers. */
  readonly #places = new Map<number, number>()

  constructor(private readonly state: RegisterState) {}

  async open(): Promise<void> {
    for (const name of names) {
      const { body } = await this.state.people[name].post('/register', { event_types: eventTypes })
      this.#queues.set(name, { id: body.queue_id, lastEventId: body.last_event_id })
    }
  }

  /** Takes the ids of all messages that exist, ascending; deleted ones are remembered. */
  note(messageIds: readonly number[]): void {
    for (const id of messageIds) {
      if (!this.#places.has(id)) this.#places.set(id, this.#places.size)
    }
  }

  /** The events since the last call. A queue that has ended yields its error instead. */
  async read(): Promise<string[]> {
    const texts: string[] = []
    for (const [name, queue] of this.#queues) {
      const { status, body } = await this.state.people[name as (typeof names)[number]].get(
        '/events',
        { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true },
      )
      if (status !== 200) {
        texts.push(`${name}: ${body.code}`)
        continue
      }
      const events = body.events as readonly MessageEvent[]
      queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId
      texts.push(...events.map((event) => `${name}: ${this.#textOf(event)}`))
    }
    return texts
  }

  #textOf({ type, op, flag, flags, ...event }: MessageEvent): string {
    const place = (id: number) => this.#places.get(id)
    const messages = event.message_ids ?? event.messages ?? [event.message?.id ?? event.message_id]
    const places = messages.map((id) => place(Number(id)))
    return JSON.stringify({ type, op, flag, flags, places })
  }
}
