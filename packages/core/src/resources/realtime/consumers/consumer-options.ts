import type { ChatEvents } from '../../../events/event-types.generated.js'
import type { KnexTransaction } from '../../../storage/index.js'

/** The names of events. */
export type ChatEventName = keyof ChatEvents

/** What a durable consumer handles, and how. */
export interface ConsumerOptions<Name extends ChatEventName = ChatEventName> {
  /** The names of the events that it handles. @default all events that are stored in the log */
  readonly types?: readonly Name[]
  /**
   * Where a new consumer starts; an existing one continues where it was. `beginning` is the oldest
   * event that the log still has. A number is the sequence number of the first event, in each
   * organization that exists. Organizations that are created later are read from their beginning.
   *
   * @default 'end'
   */
  readonly from?: 'end' | 'beginning' | number
  /** Maximum number of events in one transaction, from 1 to 1000. @default 100 */
  readonly batch?: number
  /** Attempts, from 1 to 100, before an event is parked. @default 10 */
  readonly attempts?: number
}

/** What a handler gets besides the event. */
export interface ConsumerContext<Trx extends KnexTransaction = KnexTransaction> {
  /**
   * A transaction of the chat's database, of Knex: what the handler writes in it is committed
   * together with the consumer's position. Annotate it as `ConsumerContext<Knex.Transaction>`.
   */
  readonly trx: Trx
  readonly organizationId: number
  /** The position in the organization's log. Events that belong together may share one. */
  readonly seq: number
  /** Number of this attempt, from 1. */
  readonly attempt: number
}

/** A running consumer. */
export interface ChatConsumer {
  readonly name: string
  /** Resolves when its position is stored: events that are committed later are not missed. */
  ready(): Promise<void>
  /**
   * Ends it after the current event; resolves when it has ended. Its position is kept, and another
   * process may continue.
   */
  stop(): Promise<void>
}

/** An event that a consumer could not handle. */
export interface ParkedEvent {
  readonly organizationId: number
  readonly seq: number
  readonly attempts: number
  /** The text of the last error, of at most 2000 characters. */
  readonly error: string
  readonly parkedAtSeconds: number
  /** Whether it will be tried again, after `retry`. */
  readonly isDue: boolean
}

/** The options with their defaults. */
export type ResolvedConsumerOptions = Omit<Required<ConsumerOptions>, 'types'> & {
  readonly types: readonly ChatEventName[] | undefined
}

const maxNameLength = 100
const known = ['types', 'from', 'batch', 'attempts']

/** @throws {TypeError} naming what is wrong. */
export function resolveConsumerOptions(
  name: unknown,
  options: ConsumerOptions,
): ResolvedConsumerOptions {
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength) {
    throw new TypeError(
      `chat.consume: the name must be a string of 1 to ${maxNameLength} characters`,
    )
  }
  const unknown = Object.keys(options).filter((key) => !known.includes(key))
  if (unknown.length > 0) throw new TypeError(`chat.consume: there is no ${unknown.join(', ')}`)
  const { types, from = 'end', batch = 100, attempts = 10 } = options
  if (types !== undefined && (!Array.isArray(types) || types.length === 0)) {
    throw new TypeError('chat.consume: types must be a list of names of events')
  }
  const isPosition = typeof from === 'number' && Number.isSafeInteger(from) && from > 0
  if (from !== 'end' && from !== 'beginning' && !isPosition) {
    throw new TypeError("chat.consume: from must be 'end', 'beginning' or an integer above 0")
  }
  requireInteger('batch', batch, 1000)
  requireInteger('attempts', attempts, 100)
  return { types, from, batch, attempts }
}

function requireInteger(name: string, value: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > max) {
    throw new TypeError(`chat.consume: ${name} must be an integer from 1 to ${max}`)
  }
}
