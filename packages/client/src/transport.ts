import type { ServerEvent } from './events.generated.js'

/** Why a transport has ended. */
export type TransportEnd =
  /** The connection failed; `isOpen` is whether it has worked before. */
  | { readonly kind: 'lost'; readonly isOpen: boolean; readonly retryAfterMilliseconds?: number }
  | { readonly kind: 'queueGone' }
  /** The server does not have this way. */
  | { readonly kind: 'unsupported' }
  /** Another client has taken over the queue. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'signedOut' }
  /** The signal was aborted. */
  | { readonly kind: 'stopped' }

export interface TransportEvents {
  /** Called with new events, ids ascending, and without any when the connection works. */
  readonly received: (events: readonly ServerEvent[]) => void
}

/** One way to receive the events of a queue. */
export interface Transport {
  /**
   * Receives events after `lastEventId` until the connection ends or `signal` is aborted.
   *
   * @throws {ApiError | ConnectionError} if a request fails.
   */
  run(
    queueId: string,
    lastEventId: number,
    events: TransportEvents,
    signal: AbortSignal,
  ): Promise<TransportEnd>
}
