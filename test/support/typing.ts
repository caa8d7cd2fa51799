import type { Client } from './client.js'
import { withoutIds, type EventFeed } from './event-feed.js'

const capable = {
  event_types: ['typing', 'typing_edit_message'],
  client_capabilities: {
    notification_settings_null: true,
    stream_typing_notifications: true,
    empty_topic_name: true,
  },
}

/** A user in a typing event. */
export const person = ({ id, email }: Client): object => ({ user_id: id, email })

/** Feeds of clients with all capabilities, in the order of the users. */
export async function listenAll(...people: Client[]): Promise<EventFeed[]> {
  const feeds: EventFeed[] = []
  for (const client of people) feeds.push(await client.listen(capable))
  return feeds
}

/** The events of each feed. */
export async function eventsOf(feeds: readonly EventFeed[]): Promise<Record<string, unknown>[][]> {
  const received: Record<string, unknown>[][] = []
  for (const feed of feeds) received.push(withoutIds(await feed.drain()))
  return received
}
