import type { UncheckedJson } from '../support/unchecked-json.js'

export type Item = Record<string, UncheckedJson>

/** The state of a client: a response of `POST /register`, updated by events. */
export type ClientAnswer = Item

/** Updates the sections that one kind of event changes. */
export type Reducer = (state: ClientAnswer, event: Item) => void

/** Adds an item to a list, or replaces the item with the same key. */
export function put(list: Item[], key: string, item: Item): void {
  const index = list.findIndex((other) => other[key] === item[key])
  if (index === -1) list.push(item)
  else list[index] = item
}

/** Removes the item with the key from a list. */
export function take(list: Item[], key: string, value: unknown): Item | undefined {
  const index = list.findIndex((item) => item[key] === value)
  return index === -1 ? undefined : list.splice(index, 1)[0]
}

/** Adds the missing values to a list. */
export function unite<Value>(list: Value[], values: readonly Value[]): void {
  for (const value of values) if (!list.includes(value)) list.push(value)
}

/** Removes values from a list. */
export function subtract<Value>(list: Value[], values: readonly Value[]): void {
  list.splice(0, list.length, ...list.filter((value) => !values.includes(value)))
}
