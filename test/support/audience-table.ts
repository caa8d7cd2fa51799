import assert from 'node:assert/strict'
import { it } from 'node:test'

import { receivedEvents, receivedEventsOfBoth, type EventsByUser } from './audiences.js'
import type { CastOptions } from './cast.js'
import type { Answer } from './client.js'
import { everyHost, type HostCase, type HostOptions } from './host.js'

/** A call that must succeed, and all events that it causes. */
export interface AudienceCall<Ready> {
  /** Creates what the call requires, before the queues are registered. */
  readonly ready?: (at: HostCase) => Promise<Ready>
  readonly call: (at: HostCase, ready: Ready) => Promise<Answer>
  /** By user; users that are not in it receive nothing. */
  readonly events: EventsByUser
}

/**
 * Asserts that the events of a call are sent to exactly its audience: all users receive all types
 * of events.
 *
 * @param who names the audience, as the end of "sends events to".
 */
export function everyAudience<Ready>(
  operationId: string,
  who: string,
  { ready, call, events }: AudienceCall<Ready>,
  options: CastOptions = {},
  hostOptions?: HostOptions,
): void {
  everyHost(
    operationId,
    (at) => {
      it(`sends events to ${who}`, async () => {
        const made = (await ready?.(at)) as Ready
        assert.deepEqual(await receivedEvents(at, () => call(at, made)), events)
      })
    },
    options,
    hostOptions,
  )
}

/** One of several calls in the same organization, and all events that it causes. */
export interface AudienceRow {
  /** Names the audience, as the end of "sends events to". */
  readonly who: string
  /**
   * Creates what the call requires, before the queues are registered. @returns the call, which must
   * succeed.
   */
  readonly prepare: (at: HostCase) => Promise<() => Promise<Answer>> | (() => Promise<Answer>)
  /** By user; users that are not in it receive nothing. */
  readonly events: EventsByUser
  /** The same for clients without capabilities; checked if given. */
  readonly oldClientEvents?: EventsByUser
}

/** As {@link everyAudience}, with one organization for all of the calls, one after the other. */
export function everyAudienceOf(
  operationId: string,
  rows: readonly AudienceRow[],
  options: CastOptions = {},
  hostOptions?: HostOptions,
): void {
  everyHost(
    operationId,
    (at) => {
      for (const { who, prepare, events, oldClientEvents } of rows) {
        it(`sends events to ${who}`, async () => {
          const call = await prepare(at)
          if (oldClientEvents === undefined) {
            assert.deepEqual(await receivedEvents(at, call), events)
          } else {
            const outcome = await receivedEventsOfBoth(at, call)
            assert.deepEqual(outcome, { modern: events, old: oldClientEvents })
          }
        })
      }
    },
    options,
    hostOptions,
  )
}
