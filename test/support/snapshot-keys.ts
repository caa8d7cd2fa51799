import assert from 'node:assert/strict'

import type { HostCase } from './host.js'
import type { UncheckedJson } from './unchecked-json.js'

/** The response of `POST /register`. */
export type Snapshot = Record<string, UncheckedJson>
type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'object' | 'color'

/** Whether a value is of a kind. */
export const is: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  color: (value) => typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value),
}

/** Asserts that `object` has the keys; a kind that ends in `?` allows null and absence. */
export function requireKeys(
  object: Snapshot,
  keys: Readonly<Record<string, Kind | `${Kind}?`>>,
  place: string,
): void {
  for (const [key, expectedKind] of Object.entries(keys)) {
    const kind = expectedKind.replace('?', '') as Kind
    const value = object[key] as unknown
    if (expectedKind.endsWith('?') && value == null) continue
    assert.equal(is[kind](value), true, `${place}.${key} is ${JSON.stringify(value)}, not ${kind}`)
  }
}

/** Asserts the same of each of the given objects, of which there must be at least one. */
export function requireEach(
  objects: readonly Snapshot[],
  keys: Readonly<Record<string, Kind | `${Kind}?`>>,
  place: string,
): void {
  assert.equal(objects.length > 0, true, `${place} is empty: nothing would be checked`)
  for (const object of objects) requireKeys(object, keys, `${place}[]`)
}

/** Creates an item for bob in every list that clients read. */
export async function furnish({ people, channels }: HostCase): Promise<void> {
  const { alice, bob, carol } = people
  await alice.say(channels.general, 'furniture', 'a chair')
  await alice.whisper([bob], 'a table')
  await alice.whisper([bob, carol], 'a lamp')
  const starred = await bob.say(channels.design, 'furniture', 'a star')
  await bob.post('/messages/flags', { messages: [starred], op: 'add', flag: 'starred' })
  await bob.post('/saved_snippets', { title: 'Hello', content: 'Hello **all**' })
  await bob.post(`/users/me/muted_users/${carol.id}`)
  await bob.post('/users/me/alert_words', { alert_words: ['chair'] })
  const topic = { stream_id: channels.general, topic: 'furniture', visibility_policy: 2 }
  await bob.post('/user_topics', topic)
}

/** The keys of every group. */
export const groups = { id: 'integer', name: 'string' } as const
