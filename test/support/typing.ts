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

/** How a typing event names somebody. */
export const person = ({ id, email }: Client): object => ({ user_id: id, email })

/** Feeds of capable clients, in the order of the people. */
export async function listenAll(...people: Client[]): Promise<EventFeed[]> {
  const feeds: EventFeed[] = []
  for (const client of people) feeds.push(await client.listen(capable))
  return feeds
}

/** What each feed has heard. */
export async function heardBy(feeds: readonly EventFeed[]): Promise<Record<string, unknown>[][]> {
  const heard: Record<string, unknown>[][] = []
  for (const feed of feeds) heard.push(withoutIds(await feed.drain()))
  return heard
}
