import assert from 'node:assert/strict'

import type { Answer, Client, Parameters } from './client.js'
import type { FakeClock } from './fake-clock.js'
import type { HostCase, TestHost } from './host.js'

/** The span of the delay before a heartbeat, in seconds. */
const heartbeat = [45, 55] as const
const sweepSeconds = 60

/** A poll that is parked at the server. */
export interface ParkedPoll {
  readonly answer: Promise<Answer>
}

/** Starts a poll and resolves when the server holds it. */
export async function park(
  client: Client,
  clock: FakeClock,
  params: Parameters,
): Promise<ParkedPoll> {
  const isParked = clock.next('set', ...heartbeat)
  const answer = client.get('/events', params)
  await isParked
  return { answer }
}

/** Resolves when the server cancels a scheduled heartbeat: no client waits any more. */
export function heartbeatCancelled(clock: FakeClock): Promise<void> {
  return clock.next('cancelled', ...heartbeat)
}

/**
 * Advances the clock without clients until the server stops reading the logs of its organizations.
 */
export async function forgetOrganizations(clock: FakeClock): Promise<void> {
  clock.jump(16 * 60)
  if (clock.fire(0.25) > 0) return
  // The server is reading the log; it will do so again.
  await clock.next('set', 0.25)
  clock.fire(0.25)
}

/** Makes a server read the commits of others, and resolves when it has. */
export async function noticeOthers({ clock }: TestHost): Promise<void> {
  const isOver = clock.next('set', 0.25)
  clock.fire(0.25)
  await isOver
}

/** Advances the clock, but runs only a sweep of the idle queues and the old log. */
export async function sweepAlone(clock: FakeClock, seconds: number): Promise<void> {
  clock.jump(seconds)
  const isOver = clock.next('set', sweepSeconds)
  clock.fire(sweepSeconds)
  await isOver
}

/**
 * Advances the clock up to a sweep of the idle queues and the old log, and resolves when it has
 * ended.
 */
export async function sweepAfter(clock: FakeClock, seconds: number): Promise<void> {
  clock.jump(Math.max(0, seconds - sweepSeconds))
  const isOver = clock.next('set', sweepSeconds)
  clock.advance(Math.min(seconds, sweepSeconds))
  await isOver
}

/** Registers a queue of Alice's for messages only. */
export async function registered(at: HostCase, params: object = {}) {
  const { body } = await at.people.alice.post('/register', {
    event_types: ['message'],
    fetch_event_types: [],
    ...params,
  })
  return { queueId: body.queue_id, start: body.last_event_id }
}

/** The texts of the messages in the response to a poll. */
export function contents({ body }: Answer): string[] {
  return (body.events as { message: { content: string } }[]).map(({ message }) => message.content)
}

/** Asserts that a queue was rejected as one that does not belong to the caller. */
export function assertBadQueue(answer: Answer, queueId: string): void {
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body, {
    result: 'error',
    msg: `Bad event queue ID: ${queueId}`,
    code: 'BAD_EVENT_QUEUE_ID',
    queue_id: queueId,
  })
}
