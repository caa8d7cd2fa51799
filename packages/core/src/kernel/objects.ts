import { present } from './present.js'

/** Whether a value is an object, and neither an array nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The properties of an unknown value; none if it is not an object. */
export function propertiesOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

/** The keys of an object whose type lists all of them; `Object.keys` types them as strings. */
export function keysOf<T extends object>(value: T): (keyof T & string)[] {
  // Sound only for objects without keys beyond their type, such as literals.
  return Object.keys(value) as (keyof T & string)[]
}

/** The entries of an object whose type lists all of its keys. */
export function entriesOf<T extends object>(
  value: T,
): [keyof T & string, Required<T>[keyof T & string]][] {
  // As for `keysOf`.
  return Object.entries(value) as [keyof T & string, Required<T>[keyof T & string]][]
}

/** An object with a value for each key, in the order of the keys. */
export function fromKeys<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> {
  const values: Partial<Record<Key, Value>> = {}
  for (const key of keys) values[key] = valueOf(key)
  // The loop has set each key.
  return values as Record<Key, Value>
}

/** The same for values that have to be awaited, one after the other. */
export async function fromKeysInTurn<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Promise<Value>,
): Promise<Record<Key, Value>> {
  const values = new Map<Key, Value>()
  for (const key of keys) values.set(key, await valueOf(key))
  return fromKeys(keys, (key) => present(values.get(key), `the value of ${key}`))
}
