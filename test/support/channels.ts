import type { Client, Parameters } from './client.js'
import type { EventFeed, FedEvent } from './event-feed.js'

/** The types of events about channels and subscriptions, with the channels' subscribers. */
export const channelEvents = {
  event_types: ['stream', 'subscription', 'default_streams'],
  include_subscribers: 'true',
} as const

/** The same for clients that support archived channels. */
export const archiveAware = {
  ...channelEvents,
  client_capabilities: { notification_settings_null: true, archived_channels: true },
} as const

/** Creates a channel for a case. @returns its id. */
export async function makeChannel(
  creator: Client,
  name: string,
  params: Parameters = {},
): Promise<number> {
  const answer = await creator.post('/channels/create', { name, subscribers: [], ...params })
  if (answer.status !== 200) throw new Error(`Creating a channel failed: ${answer.text}`)
  return answer.body.id
}

/** The events that each user receives, by name; registers queues before `act`. */
export async function hearing<Name extends string>(
  people: Readonly<Record<Name, Client>>,
  act: () => Promise<unknown>,
  options: Parameters & { readonly event_types?: readonly string[] } = channelEvents,
): Promise<Record<Name, FedEvent[]>> {
  const names = Object.keys(people) as Name[]
  const feeds = new Map<Name, EventFeed>()
  for (const name of names) feeds.set(name, await people[name].listen(options))
  await act()
  const received = {} as Record<Name, FedEvent[]>
  for (const name of names) received[name] = await (feeds.get(name) as EventFeed).drain()
  return received
}

/** `type/op` of each event, or `stream/update:property`. */
export function kinds(events: readonly FedEvent[]): string[] {
  return events.map(({ type, op, property }) =>
    [type, op]
      .filter(Boolean)
      .join('/')
      .concat(property === undefined ? '' : `:${property}`),
  )
}
