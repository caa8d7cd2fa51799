import assert from 'node:assert/strict'
import { it } from 'node:test'

import { heardBeside, heardOf, type Heard } from './audiences.js'
import type { CastOptions } from './cast.js'
import type { Answer } from './client.js'
import { everyHost, type HostCase, type HostOptions } from './host.js'

/** A call that must succeed, and everything that everybody hears of it. */
export interface HeardCall<Ready> {
  /** What there has to be before anybody listens. */
  readonly ready?: (at: HostCase) => Promise<Ready>
  readonly call: (at: HostCase, ready: Ready) => Promise<Answer>
  /** By person; whoever is not in it hears nothing at all. */
  readonly heard: Heard
}

/**
 * Checks that a call is heard by exactly its audience: everybody listens to everything.
 *
 * @param who names the audience, as the end of "is heard by".
 */
export function everyAudience<Ready>(
  operationId: string,
  who: string,
  { ready, call, heard }: HeardCall<Ready>,
  options: CastOptions = {},
  hostOptions?: HostOptions,
): void {
  everyHost(
    operationId,
    (at) => {
      it(`is heard by ${who}`, async () => {
        const made = (await ready?.(at)) as Ready
        assert.deepEqual(await heardOf(at, () => call(at, made)), heard)
      })
    },
    options,
    hostOptions,
  )
}

/** One of several calls in the same organization, and everything that everybody hears of it. */
export interface AudienceRow {
  /** Names the audience, as the end of "is heard by". */
  readonly who: string
  /** Makes what there has to be before anybody listens. @returns the call, which must succeed. */
  readonly prepare: (at: HostCase) => Promise<() => Promise<Answer>> | (() => Promise<Answer>)
  /** By person; whoever is not in it hears nothing at all. */
  readonly heard: Heard
  /** The same for clients that say nothing about what they can do; checked where given. */
  readonly heardByOldClients?: Heard
}

/** Like {@link everyAudience}, with one organization for all of the calls, one after the other. */
export function everyAudienceOf(
  operationId: string,
  rows: readonly AudienceRow[],
  options: CastOptions = {},
  hostOptions?: HostOptions,
): void {
  everyHost(
    operationId,
    (at) => {
      for (const { who, prepare, heard, heardByOldClients } of rows) {
        it(`is heard by ${who}`, async () => {
          const call = await prepare(at)
          if (heardByOldClients === undefined) {
            assert.deepEqual(await heardOf(at, call), heard)
          } else {
            const outcome = await heardBeside(at, call)
            assert.deepEqual(outcome, { modern: heard, old: heardByOldClients })
          }
        })
      }
    },
    options,
    hostOptions,
  )
}
