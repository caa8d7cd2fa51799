import type { Client } from './client.js'
import type { FedEvent } from './event-feed.js'

/** The parameters of a queue for messages only. */
export const registration = { event_types: ['message'], fetch_event_types: [] }

/** The Markdown of the messages in the events. */
export function contents(events: readonly FedEvent[]): string[] {
  return events.map((event) => event['message'].content)
}

/** Registers a queue for messages. */
export async function registered(
  client: Client,
): Promise<{ queue_id: string; last_event_id: number }> {
  const { body } = await client.post('/register', registration)
  return { queue_id: body.queue_id, last_event_id: body.last_event_id }
}
