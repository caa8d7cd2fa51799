import type { ChatEvents } from '../../../events/application/chat-events.js'
import type { KnexTransaction } from '../../../storage/index.js'
import { consumers } from './consumers-table.js'

/** The names of events. */
export type ChatEventName = keyof ChatEvents

/** The options of a durable consumer. */
export interface ConsumerOptions<Name extends ChatEventName = ChatEventName> {
  /** The names of the events that it handles. @default all events of clients that are stored in the log */
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
  /**
   * Whether the handler runs in a transaction of the chat's database, together with which the
   * consumer's position moves. Without it the position moves after the handler has ended.
   *
   * @default true
   */
  readonly transaction?: true
}

/** The options of a durable consumer whose handler runs without a transaction. */
export interface SeparateConsumerOptions<Name extends ChatEventName = ChatEventName> extends Omit<
  ConsumerOptions<Name>,
  'batch' | 'transaction'
> {
  readonly transaction: false
}

/** The options of a consumer of either kind. */
export type AnyConsumerOptions = ConsumerOptions | SeparateConsumerOptions

/** The data that every handler gets besides the event. */
export interface EventContext {
  /**
   * Identifies the event: the same at every attempt, in every process and for every consumer. At
   * most 60 characters.
   */
  readonly id: string
  /** The name of the event, as in `types`. */
  readonly name: string
  readonly organizationId: number
  /** The position in the organization's log. Events that belong together may share one. */
  readonly seq: number
  /** UNIX seconds of the change. */
  readonly createdAtSeconds: number
  /** Number of this attempt, from 1. */
  readonly attempt: number
  /**
   * Aborted when the consumer is to stop, and, without a transaction, when another process has
   * taken over. A handler that throws then has not failed: the event comes again.
   */
  readonly signal: AbortSignal
}

/** The data and the transaction that a handler gets besides the event. */
export interface ConsumerContext<
  Trx extends KnexTransaction = KnexTransaction,
> extends EventContext {
  /**
   * A transaction of the chat's database, of Knex: what the handler writes in it is committed
   * together with the consumer's position. Annotate it as `ConsumerContext<Knex.Transaction>`.
   */
  readonly trx: Trx
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
export interface ResolvedConsumerOptions {
  readonly types: readonly ChatEventName[] | undefined
  /** The kinds of records that these are made of. */
  readonly kinds: readonly string[] | undefined
  readonly from: 'end' | 'beginning' | number
  readonly batch: number
  readonly attempts: number
  readonly transaction: boolean
}

const maxNameLength = consumers.columns.name.maxLength
const known = ['types', 'from', 'batch', 'attempts', 'transaction']

/** @throws {TypeError} naming what is wrong, after the `place` of the options. */
export function resolveConsumerOptions(
  place: string,
  name: unknown,
  options: AnyConsumerOptions,
): Omit<ResolvedConsumerOptions, 'kinds'> {
  const wrong = (problem: string): TypeError => new TypeError(`${place}: ${problem}`)
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength) {
    throw wrong(`the name must be a string of 1 to ${maxNameLength} characters`)
  }
  const unknown = Object.keys(options).filter((key) => !known.includes(key))
  if (unknown.length > 0) throw wrong(`there is no ${unknown.join(', ')}`)
  const all: Omit<ConsumerOptions, 'transaction'> = options
  const { types, from = 'end', batch = 100, attempts = 10 } = all
  const { transaction = true } = options
  if (types !== undefined && (!Array.isArray(types) || types.length === 0)) {
    throw wrong('types must be a list of names of events')
  }
  const isPosition = typeof from === 'number' && Number.isSafeInteger(from) && from > 0
  if (from !== 'end' && from !== 'beginning' && !isPosition) {
    throw wrong("from must be 'end', 'beginning' or an integer above 0")
  }
  for (const [key, value, max] of [
    ['batch', batch, 1000],
    ['attempts', attempts, 100],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= 1 && value <= max) continue
    throw wrong(`${key} must be an integer from 1 to ${max}`)
  }
  if (typeof transaction !== 'boolean') throw wrong('transaction must be true or false')
  if (!transaction && 'batch' in options) {
    throw wrong('batch is the number of events in one transaction; there is none')
  }
  return { types, from, batch, attempts, transaction }
}
