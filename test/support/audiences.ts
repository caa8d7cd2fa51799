import assert from 'node:assert/strict'

import type { People } from './cast.js'
import { everyCapability } from './client-capabilities.js'
import type { Answer } from './client.js'
import type { EventFeed, FedEvent, ListenOptions } from './event-feed.js'
import type { HostCase } from './host.js'

/** Everybody who can have a queue: each role, more than one member, and a bot. */
const hearers = ['olga', 'adam', 'mona', 'alice', 'bob', 'carol', 'gus', 'bot'] as const
export type Hearer = (typeof hearers)[number]

/** What each person has heard, as `type/op:property`; who has heard nothing is not in it. */
export type Heard = Partial<Record<Hearer, string[]>>

const capable = { client_capabilities: everyCapability }

/**
 * Has everybody listen to everything, makes one call that must succeed, and says who has heard
 * what of it. Silence is proven: each queue is read up to a marker that came after the call.
 */
export async function heardOf(
  at: Pick<HostCase, 'people'>,
  call: (people: People) => Promise<Answer>,
  options: ListenOptions = {},
): Promise<Heard> {
  const feeds = await listening(at, { ...capable, ...options })
  await succeed(call(at.people))
  return heardFrom(feeds)
}

/** The same with two clients of everybody: one that can do everything, one that has said nothing. */
export async function heardBeside(
  at: Pick<HostCase, 'people'>,
  call: (people: People) => Promise<Answer>,
): Promise<{ modern: Heard; old: Heard }> {
  const [modern, old] = [await listening(at, capable), await listening(at, {})]
  await succeed(call(at.people))
  // One after the other: the marker of a feed is a message to the other one, too.
  return { modern: await heardFrom(modern), old: await heardFrom(old, isNoMarker) }
}

const listening = ({ people }: Pick<HostCase, 'people'>, options: ListenOptions) =>
  Promise.all(hearers.map((name) => people[name].listen(options)))

async function succeed(call: Promise<Answer>): Promise<void> {
  const answer = await call
  assert.equal(answer.status, 200, answer.text)
}

const isNoMarker = (event: FedEvent): boolean =>
  event.type !== 'message' || !/marker [-0-9a-f]{36}/.test(event['message'].content)

async function heardFrom(
  feeds: readonly EventFeed[],
  isMeant: (event: FedEvent) => boolean = () => true,
): Promise<Heard> {
  const heard: Heard = {}
  const pages = await Promise.all(feeds.map((feed) => feed.drain()))
  for (const [index, name] of hearers.entries()) {
    const events = (pages[index] ?? []).filter(isMeant)
    if (events.length > 0) heard[name] = events.map(label)
  }
  return heard
}

/** The same labels for each of these people. */
export function each(names: readonly Hearer[], ...labels: string[]): Heard {
  return Object.fromEntries(names.map((name) => [name, labels]))
}

/** The same labels for everybody. */
export const everybody = (...labels: string[]): Heard => each(hearers, ...labels)

/** The same labels for everybody but some. */
export const everybodyBut = (names: readonly Hearer[], ...labels: string[]): Heard =>
  each(
    hearers.filter((name) => !names.includes(name)),
    ...labels,
  )

function label({ type, ...event }: FedEvent): string {
  const op = event['op'] as string | undefined
  const property = (event['property'] ?? event['flag']) as string | undefined
  return `${type}${op === undefined ? '' : `/${op}`}${property === undefined ? '' : `:${property}`}`
}
