import type { Registration } from './api.generated.js'
import type { ApiError } from './errors.js'
import type { ServerEvent } from './events.generated.js'

/** How a client is connected. */
export type ConnectionState =
  /** Not opened, or closed. */
  | { readonly kind: 'closed' }
  /** `since` is when the connection was lost, in UNIX milliseconds; undefined at the start. */
  | { readonly kind: 'connecting'; readonly since: number | undefined; readonly isOffline: boolean }
  | { readonly kind: 'connected'; readonly by: 'socket' | 'poll' }
  /** Another client uses this client's queue: it was copied, with a tab for example. */
  | { readonly kind: 'replaced' }
  /** The credentials are no longer valid. */
  | { readonly kind: 'signedOut'; readonly reason: string }
  /** The server refuses to register a queue, for a reason that does not go away by itself. */
  | { readonly kind: 'refused'; readonly error: ApiError }

export interface ConnectionEvents {
  /** Called with the state of the server at the beginning, and again if its queue was lost. */
  registered(registration: Registration): void
  /** Called with the events after that, each once and in order. */
  received(events: readonly ServerEvent[]): void
  changed(state: ConnectionState): void
  /**
   * Called with what one of these functions has thrown. If it was `registered` or `received`, the
   * client may have missed events: it registers again, and `registered` gets the whole state.
   */
  failed?(error: unknown): void
}
