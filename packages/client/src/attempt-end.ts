import { ApiError, isTemporary, retryAfterOf } from './errors.js'
import type { TransportEnd } from './transport.js'

/** Why an attempt to be connected has ended. */
export type AttemptEnd =
  | TransportEnd
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** One of the application's functions has thrown an error. */
  | { readonly kind: 'failed' }

/** What an error of a call means for the connection. */
export function endOfError(error: unknown): AttemptEnd {
  if (!(error instanceof ApiError)) return { kind: 'lost', isOpen: false }
  const { code, status } = error
  if (code === 'BAD_EVENT_QUEUE_ID') return { kind: 'queueGone' }
  if (status === 401 || code === 'USER_DEACTIVATED' || code === 'REALM_DEACTIVATED') {
    return { kind: 'signedOut' }
  }
  if (isTemporary(error)) {
    const retryAfterMilliseconds = retryAfterOf(error)
    return retryAfterMilliseconds === undefined
      ? { kind: 'lost', isOpen: false }
      : { kind: 'lost', isOpen: false, retryAfterMilliseconds }
  }
  return { kind: 'refused', error }
}
