import type { AttemptEnd } from './attempt-end.js'
import type { ConnectionState } from './connection-events.js'
import type { PendingMessage } from './pending-message.js'

/**
 * Something that a client has done. It can be handed over: it has neither texts nor names or
 * addresses of users, but ids and names of the protocol.
 */
export type LogEntry = {
  /** UNIX milliseconds. */
  readonly atMilliseconds: number
} & LoggedAction

export type LoggedAction =
  /** A request; without `status` if there was no answer. */
  | {
      readonly kind: 'call'
      readonly operation: string
      readonly milliseconds: number
      readonly status: number | undefined
      /** Of an error. */
      readonly code: string | undefined
    }
  | {
      readonly kind: 'connection'
      readonly state: ConnectionState['kind']
      readonly by: 'socket' | 'poll' | undefined
    }
  /** Why an attempt to be connected has ended. */
  | { readonly kind: 'attempt'; readonly end: AttemptEnd['kind'] }
  /** Events that were applied. */
  | {
      readonly kind: 'events'
      readonly firstId: number
      readonly lastId: number
      readonly types: readonly string[]
    }
  | {
      readonly kind: 'outbox'
      readonly localId: string
      readonly state: PendingMessage['state'] | 'removed'
      readonly code: string | undefined
    }
