import type { Place, Target } from '../place.js'
import type { Session } from '../session/session.js'
import { givenTarget, isGiven, type Given } from './given-target.js'

/** The view that an element shows. An event says when it is another kind; see docs/web.md. */
export type ChatState =
  /** There is nothing to show yet. The banner says what is wrong, if something is. */
  | { readonly kind: 'connecting'; readonly target: Target | undefined }
  /** The banner says why. */
  | { readonly kind: 'signedOut'; readonly code: string | undefined }
  | { readonly kind: 'refused'; readonly code: string | undefined }
  /** The list of conversations alone, on a narrow page. */
  | { readonly kind: 'list' }
  | { readonly kind: 'conversation'; readonly target: Target }
  /** The conversation does not exist, or the user cannot see it. */
  | { readonly kind: 'notFound'; readonly target: Target | undefined }

interface Shown extends Given {
  readonly session: Session | undefined
  readonly target: Target | undefined
  readonly isNarrow: boolean
}

export function chatState(chat: Shown): ChatState {
  const { session } = chat
  if (session?.state.isRegistered !== true) return unregistered(chat)
  if (isGiven(chat)) {
    const target = givenTarget(chat, session)
    return target === undefined ? { kind: 'notFound', target } : { kind: 'conversation', target }
  }
  const target = session.withoutSelf(chat.target) ?? usualTarget(chat)
  if (target === undefined) return { kind: 'list' }
  return { kind: isSeen(target.place, session) ? 'conversation' : 'notFound', target }
}

function isSeen(place: Place, { isVisitor, state }: Session): boolean {
  if ('channelId' in place) return state.channels.has(place.channelId)
  // Visitors are asked to log in.
  if (place.kind !== 'direct' || isVisitor) return true
  return place.userIds.every((id) => state.users.has(id))
}

/** A wide page always shows a conversation. */
function usualTarget({ isNarrow }: Shown): Target | undefined {
  return isNarrow ? undefined : { place: { kind: 'all' } }
}

function unregistered(chat: Shown): ChatState {
  const connection = chat.session?.state.connection
  switch (connection?.kind) {
    case 'signedOut':
      return { kind: 'signedOut', code: connection.code }
    case 'refused':
      return { kind: 'refused', code: connection.error.code }
    default:
      // Its messages are requested while the chat connects.
      return {
        kind: 'connecting',
        target: isGiven(chat) ? undefined : (chat.target ?? usualTarget(chat)),
      }
  }
}
