import type { ServerEvent } from '@parley/wire/events'

/** Why a transport has ended. */
export type TransportEnd =
  /** The connection failed; `isOpen` is whether it has worked before, and `error` why it failed. */
  | {
      readonly kind: 'lost'
      readonly isOpen: boolean
      /** Whether nothing came after it had opened, not even a heartbeat. */
      readonly isStalled?: boolean
      readonly error?: unknown
      readonly retryAfterMilliseconds?: number
    }
  | { readonly kind: 'queueGone' }
  /** The server does not have this way. */
  | { readonly kind: 'unsupported' }
  /** Another client has taken over the queue. */
  | { readonly kind: 'replaced' }
  /** The credentials that have opened the connection have ended; others may be valid. */
  | { readonly kind: 'expired' }
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
