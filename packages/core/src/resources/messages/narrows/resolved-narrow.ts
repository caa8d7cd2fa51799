import type { ChannelViewer } from '../../channels/channels/index.js'
import type { SearchTexts } from './search-texts.js'

/** A search for texts. */
export interface SearchCondition {
  readonly kind: 'search'
  readonly texts: SearchTexts
  /** The messages with the wanted words that the index does not have yet. */
  readonly unindexedIds: readonly number[]
}

/** The condition of a term of a narrow, with resolved references. */
export type Condition =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'channels'; readonly which: 'public' | 'web-public' }
  | { readonly kind: 'topic'; readonly topicKey: string }
  | { readonly kind: 'sender'; readonly userId: number }
  /** Null for a conversation without messages. */
  | { readonly kind: 'conversation'; readonly recipientId: number | null }
  | { readonly kind: 'participant'; readonly userId: number; readonly groupsOnly: boolean }
  | { readonly kind: 'direct' }
  | { readonly kind: 'unread' }
  /** The message has any flag of the mask. */
  | { readonly kind: 'flags'; readonly mask: number }
  | { readonly kind: 'resolved' }
  | { readonly kind: 'followed' }
  /** The topic or the channel is muted. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'shown' }
  /** The content has any trait of the mask. */
  | { readonly kind: 'traits'; readonly mask: number }
  | { readonly kind: 'reaction' }
  | { readonly kind: 'id'; readonly messageId: number }
  | SearchCondition
  | { readonly kind: 'readable'; readonly viewer: ChannelViewer }
  /** The topic is not muted; the channel may be. */
  | { readonly kind: 'topicNotMuted' }

/** A term of a narrow, with resolved references. */
export interface ResolvedTerm {
  readonly condition: Condition
  readonly isNegated: boolean
}

/** A narrow with resolved references, by which messages are searched. */
export interface ResolvedNarrow {
  /** The user whose user messages and flags are searched. */
  readonly userId: number
  readonly terms: readonly ResolvedTerm[]
  /** Whether to include messages that the user never received. */
  readonly includesUnreceived: boolean
}
