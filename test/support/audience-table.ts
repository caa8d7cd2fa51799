import assert from 'node:assert/strict'
import { it } from 'node:test'

import { heardOf, type Heard } from './audiences.js'
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
