import { createHash } from 'node:crypto'

import { isApplication, type Actor } from '../../domain/users/actor.js'
import type { RepeatableCall } from '../../kernel/repeatable-call.js'

const maxKeyLength = 255

/**
 * What a call with a key of the application is recognized by; undefined without a key.
 *
 * @param params decoded, before hooks have changed them.
 * @throws {TypeError} if the key is not a string of 1 to 255 characters.
 */
export function repeatableCall(
  name: string,
  actor: Actor,
  params: Readonly<Record<string, unknown>>,
  key: unknown,
): RepeatableCall | undefined {
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
    throw new TypeError(
      `${name}: idempotencyKey must be a string of 1 to ${maxKeyLength} characters`,
    )
  }
  const caller = isApplication(actor) ? 'application' : actor.userId
  const named = Object.entries(params).filter(([, value]) => value !== undefined)
  return {
    keyHash: hashOf(['idempotency key', name, caller, key]),
    paramsHash: hashOf(named.sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

function hashOf(value: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
