import type { Registration } from './api.js'
import type { ApiError } from './errors.js'
import type { ServerEvent } from '@parley/wire/events'

/** How a client is connected. */
export type ConnectionState =
  /** Not opened, or closed. */
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'connecting'
      /** When the connection was lost, in UNIX milliseconds; undefined at the start. */
      readonly since: number | undefined
      /** Whether the network is known to be away. */
      readonly isOffline: boolean
      /** Why the last attempt has failed, such as a `ConnectionError`; absent if none has. */
      readonly error?: unknown
    }
  | { readonly kind: 'connected'; readonly by: 'socket' | 'poll' }
  /**
   * With the credentials of a visitor: the state has the data that the whole web may read. No
   * events come; it is read again every two minutes while the page is visible, and with
   * `retryNow()`.
   */
  | { readonly kind: 'visiting' }
  /** Another client uses this client's queue: it was copied, with a tab for example. */
  | { readonly kind: 'replaced' }
  /**
   * The credentials are no longer valid; `code` is that of the server's error, such as
   * `USER_DEACTIVATED`, and `reason` its text.
   */
  | { readonly kind: 'signedOut'; readonly code: string; readonly reason: string }
  /** The server refuses to register a queue, for a reason that does not go away by itself. */
  | { readonly kind: 'refused'; readonly error: ApiError }

export interface ConnectionEvents {
  /** Called with the state of the server at the beginning, and again if its queue was lost. */
  registered(registration: Registration): void
  /** Called with the events after that, each once and in order. */
  received(events: readonly ServerEvent[]): void
  changed(state: ConnectionState): void
  /**
   * Called with the error of one of these functions. If it was `registered` or `received`, the
   * client may have missed events: it registers again, and `registered` gets the whole state.
   * @default the option `onError` of the client
   */
  failed?(error: unknown): void
}
