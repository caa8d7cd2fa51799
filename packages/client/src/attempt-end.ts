import { ApiError, isTemporary, retryAfterOf } from './errors.js'
import type { TransportEnd } from './transport.js'

/** Why an attempt to be connected has ended. */
export type AttemptEnd =
  | TransportEnd
  | { readonly kind: 'signedOut'; readonly error: ApiError }
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** It is time to try WebSockets again. */
  | { readonly kind: 'returning' }
  /** One of the application's functions has thrown an error. */
  | { readonly kind: 'failed' }

/** The end of an attempt after an error of a call. */
export function endOfError(error: unknown): AttemptEnd {
  if (error instanceof ApiError) {
    const { code, status } = error
    if (code === 'BAD_EVENT_QUEUE_ID') return { kind: 'queueGone' }
    if (status === 401 || code === 'USER_DEACTIVATED' || code === 'REALM_DEACTIVATED') {
      return { kind: 'signedOut', error }
    }
    if (!isTemporary(error)) return { kind: 'refused', error }
  }
  const retryAfterMilliseconds = retryAfterOf(error)
  return {
    kind: 'lost',
    isOpen: false,
    error,
    ...(retryAfterMilliseconds !== undefined && { retryAfterMilliseconds }),
  }
}
