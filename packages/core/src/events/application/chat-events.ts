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

/** The events that `chat.on` and `chat.consume` report, by their names. */
export type ChatEvents = {
  // The id of an event is the position in the queue of one client.
  [Name in keyof ApplicationEvents]: ChatEventFacts & Omit<ApplicationEvents[Name], 'id'>
}
