import type { GetMessagesResult, Registration } from '../api.js'
import type { ConnectionState } from '../connection-events.js'

type Registered<Key extends keyof Registration> = NonNullable<Registration[Key]>

type ListItem<Key extends keyof Registration> =
  Registered<Key> extends readonly (infer Item)[] ? Item : never

/** The lists that have their own part of the state. */
type OwnPart =
  | 'realm_users'
  | 'realm_non_active_users'
  | 'realm_user_groups'
  | 'realm_emoji'
  | 'realm_linkifiers'

type OrganizationKey = Exclude<
  Extract<keyof Registration, `${'realm' | 'server' | 'max'}_${string}`>,
  OwnPart
>

/** Settings of the organization and the server, with their names in the registration. */
export type OrganizationState = Pick<Registration, OrganizationKey>

type OwnKey =
  | 'email'
  | 'delivery_email'
  | 'full_name'
  | 'avatar_source'
  | 'avatar_url'
  | 'avatar_url_medium'
  | 'is_owner'
  | 'is_admin'
  | 'is_moderator'
  | 'is_guest'
  | 'user_settings'
  | 'alert_words'

/** The user of the client. */
export type OwnUser = { readonly [Key in OwnKey]: Registered<Key> } & { readonly user_id: number }

/** A user, also one who is deactivated, a bot, or a bot of the system. */
export type User = ListItem<'realm_users'> & {
  readonly is_active: boolean
  readonly is_system_bot?: boolean
}

export type UserGroup = ListItem<'realm_user_groups'>

/** The settings of a user for a channel. */
export type Subscription = Pick<
  ListItem<'subscriptions'>,
  | 'color'
  | 'is_muted'
  | 'in_home_view'
  | 'pin_to_top'
  | 'audible_notifications'
  | 'desktop_notifications'
  | 'email_notifications'
  | 'push_notifications'
  | 'wildcard_mentions_notify'
>

/** A channel that the user can see. */
export type ChannelState = Omit<
  ListItem<'never_subscribed'>,
  'subscribers' | 'partial_subscribers'
> & {
  /** Ids of users; empty if the user may not see them. */
  readonly subscribers: readonly number[]
  /** Absent while the user is not subscribed. */
  readonly subscription?: Subscription
}

export type ChannelFolder = ListItem<'channel_folders'>
export type CustomEmoji = Registered<'realm_emoji'>[string]
export type Linkifier = ListItem<'realm_linkifiers'>
export type ProfileField = ListItem<'custom_profile_fields'>
export type UserStatus = Omit<Registered<'user_status'>[string], 'away'>
export type Draft = ListItem<'drafts'>
export type ScheduledMessage = ListItem<'scheduled_messages'>
export type Reminder = ListItem<'reminders'>
export type SavedSnippet = ListItem<'saved_snippets'>

/** A message with HTML; its history can be requested separately. */
export type Message = Omit<
  GetMessagesResult['messages'][number],
  'edit_history' | 'match_content' | 'match_subject'
>

/** When a user was last active, and last connected, in UNIX seconds. */
export interface Presence {
  readonly active_timestamp: number
  readonly idle_timestamp: number
}

export interface UnreadTopic {
  /** As the newest of the messages spells it. */
  readonly topic: string
  /** Ids of the unread messages, ascending. */
  readonly ids: readonly number[]
  readonly isMuted: boolean
}

export interface UnreadChannel {
  /** Number of unread messages in topics that are not muted. */
  readonly count: number
  /** By {@link foldTopic | folded topic}; those without unread messages are absent. */
  readonly topics: ReadonlyMap<string, UnreadTopic>
}

export interface UnreadState {
  /** Number of all unread messages, without those in muted channels and topics. */
  readonly total: number
  /** Ids of the unread messages that mention the user, ascending. */
  readonly mentions: readonly number[]
  /** By channel id; those without unread messages are absent. */
  readonly channels: ReadonlyMap<number, UnreadChannel>
  /** Ids of the unread messages, ascending, by {@link directKey}. */
  readonly direct: ReadonlyMap<string, readonly number[]>
  /** Whether the server knows more, older unread messages. */
  readonly old_unreads_missing: boolean
}

/**
 * The last state from the server. It is never modified: a changed part is another object, and an
 * unchanged part is the same one.
 */
export interface ChatState {
  readonly connection: ConnectionState
  /** False until the server has sent its state; everything but `connection` is empty until then. */
  readonly isRegistered: boolean
  readonly organization: OrganizationState
  readonly me: OwnUser
  /** By id. Users whom the user may not see are absent. */
  readonly users: ReadonlyMap<number, User>
  /** By user id; those without a status are absent. */
  readonly statuses: ReadonlyMap<number, UserStatus>
  readonly presence: ReadonlyMap<number, Presence>
  readonly groups: ReadonlyMap<number, UserGroup>
  readonly channels: ReadonlyMap<number, ChannelState>
  readonly folders: ReadonlyMap<number, ChannelFolder>
  /** Custom emoji by id, also deactivated ones, which old messages still have. */
  readonly emoji: ReadonlyMap<string, CustomEmoji>
  /** In the order in which they apply. */
  readonly linkifiers: readonly Linkifier[]
  /** In display order. */
  readonly profileFields: readonly ProfileField[]
  /**
   * 1 muted, 2 unmuted, 3 followed: by channel id and {@link foldTopic | folded topic}. Topics that
   * inherit from their channel are absent.
   */
  readonly topicPolicies: ReadonlyMap<number, ReadonlyMap<string, number>>
  /** The messages of open lists, and recent ones. */
  readonly messages: ReadonlyMap<number, Message>
  readonly unread: UnreadState
  /** Ids of the messages that the user has starred. */
  readonly starred: ReadonlySet<number>
  /** The id of the newest known message of each direct conversation, by {@link directKey}. */
  readonly directConversations: ReadonlyMap<string, number>
  /**
   * The users who are typing, by {@link topicKey} or {@link directKey}, with the UNIX milliseconds
   * of the last sign of it. A sign is removed when it is older than the organization's
   * `server_typing_started_expiry_period_milliseconds`.
   */
  readonly typing: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly drafts: ReadonlyMap<number, Draft>
  readonly scheduledMessages: ReadonlyMap<number, ScheduledMessage>
  readonly reminders: ReadonlyMap<number, Reminder>
  readonly savedSnippets: ReadonlyMap<number, SavedSnippet>
  /** The UNIX seconds at which users were muted, by their ids. */
  readonly mutedUsers: ReadonlyMap<number, number>
}

/** The live state of the chat, as far as the client's user may know it. */
export interface ChatStore {
  readonly state: ChatState
  /**
   * Calls `listener` after each group of events that changes what `selector` returns, compared by
   * `Object.is`.
   *
   * @returns how to stop that.
   */
  subscribe<Value>(
    selector: (state: ChatState) => Value,
    listener: (value: Value) => void,
  ): () => void
}

/** Where {@link MessageList.load} begins: at a message, or at one end. */
export type MessageAnchor = number | 'first_unread' | 'newest' | 'oldest'

/** The texts of a message with the words that a search has found, as HTML. */
export interface SearchMatch {
  readonly match_content: string
  readonly match_subject: string
}

export interface MessageListState {
  /** Ascending by id, without a gap. */
  readonly messages: readonly Message[]
  /** Of the messages in a search, by id. */
  readonly matches: ReadonlyMap<number, SearchMatch>
  /** Whether there are no older messages than these. */
  readonly haveOldest: boolean
  /** Whether there are no newer messages; new ones are added as long as it is true. */
  readonly haveNewest: boolean
  readonly isLoading: 'older' | 'newer' | 'anchor' | undefined
  /** Why the last request has failed. */
  readonly error: unknown
  /** Another number if the messages have nothing to do with the former ones. */
  readonly generation: number
  /** The first unread message when the list was loaded; stays when it is read. */
  readonly firstUnreadId: number | undefined
}

/** The messages of a narrow, or a part of them, kept up to date. */
export interface MessageList {
  readonly state: MessageListState
  /** Calls `listener` after each change of the state. @returns how to stop that. */
  subscribe(listener: () => void): () => void
  /** Replaces the messages by those around the anchor. A later call makes the result void. */
  load(anchor: MessageAnchor): Promise<void>
  /** Adds older messages, unless there are none or something is being loaded. */
  older(): Promise<void>
  newer(): Promise<void>
  /** Ends the updates; the list must not be used any more. */
  close(): void
}

/** The prefix of the names of resolved topics. */
export const resolvedPrefix = '✔ '

/** The form of a name that is equal for equal topics: they do not differ by case. */
export function foldTopic(topic: string): string {
  return topic.normalize('NFC').toLowerCase()
}

/** The key of a topic, where keys of topics and direct conversations are mixed. */
export function topicKey(channelId: number, topic: string): string {
  return `${channelId}:${foldTopic(topic)}`
}

/**
 * The key of a direct conversation: the ids of the other participants, ascending, with commas; of a
 * note to oneself the own id.
 */
export function directKey(userIds: Iterable<number>, ownId: number): string {
  const others = [...new Set(userIds)].filter((id) => id !== ownId).sort((a, b) => a - b)
  return others.length === 0 ? String(ownId) : others.join()
}
