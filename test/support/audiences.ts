import assert from 'node:assert/strict'

import type { People } from './cast.js'
import { everyCapability } from './client-capabilities.js'
import type { Answer } from './client.js'
import type { EventFeed, FedEvent, ListenOptions } from './event-feed.js'
import type { HostCase } from './host.js'

/** All users who can have a queue: each role, more than one member, and a bot. */
const recipients = ['olga', 'adam', 'mona', 'alice', 'bob', 'carol', 'gus', 'bot'] as const
export type Recipient = (typeof recipients)[number]

/** The events of each user, as `type/op:property`; users without events are omitted. */
export type EventsByUser = Partial<Record<Recipient, string[]>>

const capable = { client_capabilities: everyCapability }

/**
 * Registers queues of all users for all events, makes one call that must succeed, and returns the
 * events of each user. The absence of events is proven: each queue is read up to a marker that was
 * sent after the call.
 */
export async function receivedEvents(
  at: Pick<HostCase, 'people'>,
  call: (people: People) => Promise<Answer>,
  options: ListenOptions = {},
): Promise<EventsByUser> {
  const feeds = await listenAll(at, { ...capable, ...options })
  await succeed(call(at.people))
  return drainAll(feeds)
}

/** The same with two clients per user: one with all capabilities, one with none. */
export async function receivedEventsOfBoth(
  at: Pick<HostCase, 'people'>,
  call: (people: People) => Promise<Answer>,
): Promise<{ modern: EventsByUser; old: EventsByUser }> {
  const [modern, old] = [await listenAll(at, capable), await listenAll(at, {})]
  await succeed(call(at.people))
  // Sequentially, because the marker of a feed is a message to the other one, too.
  return { modern: await drainAll(modern), old: await drainAll(old, isNotMarker) }
}

const listenAll = ({ people }: Pick<HostCase, 'people'>, options: ListenOptions) =>
  Promise.all(recipients.map((name) => people[name].listen(options)))

async function succeed(call: Promise<Answer>): Promise<void> {
  const answer = await call
  assert.equal(answer.status, 200, answer.text)
}

const isNotMarker = (event: FedEvent): boolean =>
  event.type !== 'message' || !/marker [-0-9a-f]{36}/.test(event['message'].content)

async function drainAll(
  feeds: readonly EventFeed[],
  isIncluded: (event: FedEvent) => boolean = () => true,
): Promise<EventsByUser> {
  const received: EventsByUser = {}
  const pages = await Promise.all(feeds.map((feed) => feed.drain()))
  for (const [index, name] of recipients.entries()) {
    const events = (pages[index] ?? []).filter(isIncluded)
    if (events.length > 0) received[name] = events.map(label)
  }
  return received
}

/** The same labels for each of these users. */
export function each(names: readonly Recipient[], ...labels: string[]): EventsByUser {
  return Object.fromEntries(names.map((name) => [name, labels]))
}

/** The same labels for all users. */
export const everybody = (...labels: string[]): EventsByUser => each(recipients, ...labels)

/** The same labels for all users but some. */
export const everybodyBut = (names: readonly Recipient[], ...labels: string[]): EventsByUser =>
  each(
    recipients.filter((name) => !names.includes(name)),
    ...labels,
  )

function label({ type, ...event }: FedEvent): string {
  const op = event['op'] as string | undefined
  const property = (event['property'] ?? event['flag']) as string | undefined
  return `${type}${op === undefined ? '' : `/${op}`}${property === undefined ? '' : `:${property}`}`
}
