import type { SearchTexts } from '../../domain/narrow-search.js'
import type { ChannelViewer } from '../channels/index.js'

/** What a term of a narrow asks of a message, with everything it names looked up. */
export type Condition =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'channels'; readonly which: 'public' | 'web-public' }
  | { readonly kind: 'topic'; readonly topicKey: string }
  | { readonly kind: 'sender'; readonly userId: number }
  /** Null for a conversation in which nobody has written yet. */
  | { readonly kind: 'conversation'; readonly recipientId: number | null }
  | { readonly kind: 'participant'; readonly userId: number; readonly groupsOnly: boolean }
  | { readonly kind: 'direct' }
  | { readonly kind: 'unread' }
  /** Any flag of the mask. */
  | { readonly kind: 'flags'; readonly mask: number }
  | { readonly kind: 'resolved' }
  | { readonly kind: 'followed' }
  /** The topic or the channel is muted. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'shown' }
  /** Any of the content's traits in the mask. */
  | { readonly kind: 'traits'; readonly mask: number }
  | { readonly kind: 'reaction' }
  | { readonly kind: 'id'; readonly messageId: number }
  | { readonly kind: 'search'; readonly texts: SearchTexts }
  | { readonly kind: 'readable'; readonly viewer: ChannelViewer }
  /** The topic is not muted; the channel may be. */
  | { readonly kind: 'topicNotMuted' }

export interface SearchTerm {
  readonly condition: Condition
  readonly isNegated: boolean
}

/** A narrow that is ready to be searched for. */
export interface MessageSearch {
  /** Whose personal history and flags are meant. */
  readonly userId: number
  readonly terms: readonly SearchTerm[]
  /** Whether messages that the user never received are searched too. */
  readonly includesUnreceived: boolean
}
