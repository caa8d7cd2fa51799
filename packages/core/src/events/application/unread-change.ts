import { maxNamedUsers, type AddressedEvent, type RecordedEvent } from './application-view.js'
import { unreadCounts, type EventChannel } from './chat-events.js'

/** Whose unread counts a record may change: those of all users in channels, and those of users. */
export interface UnreadChange {
  readonly channelIds?: readonly number[]
  readonly userIds?: readonly number[]
}

/** Tells which records of the log change unread counts. */
export interface UnreadChanges {
  readonly kinds: readonly string[]
  /** Undefined if the record changes none. */
  find(record: RecordedEvent): UnreadChange | undefined
}

/** Finds channels of an organization, with the application's ids of them. */
export type FindChannels = (
  organizationId: number,
  channelIds: readonly number[],
) => Promise<readonly EventChannel[]>

/** The events of a change, each with a bounded number of users. */
export async function unreadEvents(
  organizationId: number,
  change: UnreadChange | undefined,
  findChannels: FindChannels,
): Promise<readonly AddressedEvent[]> {
  if (change === undefined) return []
  const { channelIds = [], userIds = [] } = change
  const channels = channelIds.length === 0 ? [] : await findChannels(organizationId, channelIds)
  const count = Math.ceil(Math.max(channels.length, userIds.length) / maxNamedUsers)
  return Array.from({ length: count }, (_, index) => {
    const [start, end] = [index * maxNamedUsers, (index + 1) * maxNamedUsers]
    const event = { type: unreadCounts, channels: channels.slice(start, end) }
    return { event, userIds: userIds.slice(start, end) }
  })
}
