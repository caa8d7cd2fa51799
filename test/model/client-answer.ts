import type { Said } from '../support/said.js'

export type Item = Record<string, Said>

/** What a client knows: an answer of `POST /register`, kept up to date by events. */
export type ClientAnswer = Item

/** Keeps the sections of one kind of event up to date. */
export type Reducer = (state: ClientAnswer, event: Item) => void

/** Puts an item into a list, instead of the one with the same key. */
export function put(list: Item[], key: string, item: Item): void {
  const index = list.findIndex((other) => other[key] === item[key])
  if (index === -1) list.push(item)
  else list[index] = item
}

/** Takes the item with the key out of a list. */
export function take(list: Item[], key: string, value: unknown): Item | undefined {
  const index = list.findIndex((item) => item[key] === value)
  return index === -1 ? undefined : list.splice(index, 1)[0]
}

/** Puts the values that are not yet there into a list. */
export function unite<Value>(list: Value[], values: readonly Value[]): void {
  for (const value of values) if (!list.includes(value)) list.push(value)
}

/** Takes values out of a list. */
export function subtract<Value>(list: Value[], values: readonly Value[]): void {
  list.splice(0, list.length, ...list.filter((value) => !values.includes(value)))
}
