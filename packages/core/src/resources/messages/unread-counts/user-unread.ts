import type { OrganizationReference } from '../../people/users/index.js'

/** Which unread messages are counted. */
export interface UnreadOptions extends OrganizationReference {
  /**
   * The application's ids of channels, at most 100: only these are counted, also in `total` and
   * `mentions`. Ids without a channel are ignored.
   *
   * @default all channels and direct messages
   */
  readonly channels?: readonly (string | number)[] | undefined
}

/**
 * A user whom an unread message names. It is meant for the application: a guest may not see this
 * user in the chat, for example after the user has left the channel.
 */
export interface UnreadPerson {
  /** The chat's id of the user. */
  readonly id: number
  /** The application's id of the user; null for bots, and for users whom it has not identified. */
  readonly externalId: string | null
  readonly fullName: string
}

/** The newest unread message of a channel or conversation. */
export interface UnreadMessage {
  /** The chat's id of the message. */
  readonly id: number
  /** The text without formatting, at most 200 characters; `…` replaces the rest. */
  readonly text: string
  readonly sender: UnreadPerson
  /** UNIX seconds. */
  readonly sentAtSeconds: number
}

/** The unread messages of a user in a channel. */
export interface UnreadChannel {
  /** The chat's id of the channel. */
  readonly id: number
  /** The application's id of the channel; null for channels that `chat.channels.ensure` has not made. */
  readonly externalId: string | null
  readonly name: string
  /** Number of unread messages, without those that the user has muted with their channel or topic. */
  readonly count: number
  /** Number of unread messages in the channel that are muted. */
  readonly mutedCount: number
  /** Number of unread messages that mention the user. */
  readonly mentions: number
  /**
   * The newest unread message that is not muted; the newest one if all are. Null if it was deleted
   * while it was read.
   */
  readonly lastMessage: (UnreadMessage & { readonly topic: string }) | null
}

/** The unread messages of a user in a direct conversation. */
export interface UnreadConversation {
  /** The other people, ascending by id, at most 20; the user alone for messages to oneself. */
  readonly users: readonly UnreadPerson[]
  /** Number of people in the conversation, with the user. */
  readonly userCount: number
  readonly count: number
  /** Number of unread messages that mention the user. */
  readonly mentions: number
  /** Null if it was deleted while it was read. */
  readonly lastMessage: UnreadMessage | null
}

/** The unread messages of a user, counted as a client of the user counts them. */
export interface UserUnread {
  /** For a badge: all unread messages that are not muted, direct messages included. */
  readonly total: number
  /** Number of unread messages that mention the user. */
  readonly mentions: number
  /**
   * The channels with unread messages that the user can read: at most 100, those with messages that
   * are not muted first, then those with the newest messages. `total` counts all channels.
   */
  readonly channels: readonly UnreadChannel[]
  readonly directMessages: {
    readonly count: number
    /** The conversations with unread messages: at most 100, those with the newest messages first. */
    readonly conversations: readonly UnreadConversation[]
  }
}
