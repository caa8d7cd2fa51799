import type { ApplicationEvents } from '@parley/wire/application-events'

/** The facts that the application gets with every event. */
export interface ChatEventFacts {
  readonly organizationId: number
  /** The users who get the event, if it is not for a larger group, such as a channel. */
  readonly userIds?: readonly number[]
  /**
   * The application's ids, by user id, of the users that the event names (in `userIds` or in fields
   * such as `sender_id`), as far as they have one; for at most 1000 users of an event.
   */
  readonly externalIds: Readonly<Record<number, string>>
}

/** The name of the event that says whose unread counts may have changed. */
export const unreadCounts = 'unread_counts'

/** A channel that an event names. */
export interface EventChannel {
  readonly id: number
  /** The application's id; null for channels that `chat.channels.ensure` has not made. */
  readonly externalId: string | null
}

/**
 * Says whose unread counts may have changed: those of everybody in the `channels`, and all counts of
 * the users in `userIds`. Clients do not get it, and the application only by its name.
 */
export interface UnreadCountsEvent extends ChatEventFacts {
  readonly type: typeof unreadCounts
  /** The counts of any user in these may have changed; at most 1000. */
  readonly channels: readonly EventChannel[]
  /** The users whose counts may have changed, at most 1000; a change of more is several events. */
  readonly userIds: readonly number[]
}

/** The events that `chat.on` and `chat.consume` report, by their names. */
export type ChatEvents = {
  // The id of an event is the position in the queue of one client.
  [Name in keyof ApplicationEvents]: ChatEventFacts & Omit<ApplicationEvents[Name], 'id'>
} & {
  /** The unread counts of some users, or in some channels, may have changed. */
  [unreadCounts]: UnreadCountsEvent
}
