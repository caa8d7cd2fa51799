import type { ServerEvent } from '@parley/wire/events'
import type { ChatState } from './state.js'

/** The state with data that its readers do not need. */
export interface LiveState extends ChatState {
  /** The unread messages that mention the user: whether by name, or only with everybody. */
  readonly unreadMentions: ReadonlyMap<number, 'personal' | 'wildcard'>
}

/**
 * The changes of one group of events. Collections are copied when the first of the events changes
 * them, not for each event, so the time that a group takes grows with its length only.
 */
export class Changes {
  readonly #own = new WeakSet<object>()

  /** @param now UNIX milliseconds. */
  constructor(readonly now: number) {}

  /** A map with the same entries that this group of events may modify. */
  map<Key, Value>(map: ReadonlyMap<Key, Value>): Map<Key, Value> {
    // Only maps that were made here are in the set.
    return this.#has(map) ? (map as Map<Key, Value>) : this.#made(new Map(map))
  }

  /** Likewise for a set. */
  set<Value>(set: ReadonlySet<Value>): Set<Value> {
    // Only sets that were made here are in the set.
    return this.#has(set) ? (set as Set<Value>) : this.#made(new Set(set))
  }

  /** Likewise for a list. */
  list<Value>(list: readonly Value[]): Value[] {
    // Only lists that were made here are in the set.
    return this.#has(list) ? (list as Value[]) : this.#made([...list])
  }

  #has(collection: object): boolean {
    return this.#own.has(collection)
  }

  #made<Collection extends object>(collection: Collection): Collection {
    this.#own.add(collection)
    return collection
  }
}

/** The parts of the state that an event changes; undefined if there are none. */
export type Reducer<Event> = (
  state: LiveState,
  event: Event,
  changes: Changes,
) => Partial<LiveState> | undefined

/** The type of an event, and after a slash its `op`. */
type KindOf<Event extends ServerEvent> = Event extends { readonly op: infer Op extends string }
  ? `${Event['type']}/${Op}`
  : Event['type']

export type Reducers = {
  readonly [Event in ServerEvent as KindOf<Event>]?: Reducer<Event>
}

export function kindOf(event: ServerEvent): string {
  return 'op' in event ? `${event.type}/${event.op}` : event.type
}

/** A map in which one entry is changed; the same map if there is no such entry. */
export function changeEntry<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  changes: Changes,
  change: (value: Value) => Value,
): ReadonlyMap<Key, Value> {
  const value = map.get(key)
  if (value === undefined) return map
  const changed = change(value)
  return changed === value ? map : changes.map(map).set(key, changed)
}

/** A map with these items, in place of those with the same keys. */
export function withItems<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  items: readonly Value[],
  keyOf: (item: Value) => Key,
  changes: Changes,
): ReadonlyMap<Key, Value> {
  const copy = changes.map(map)
  for (const item of items) copy.set(keyOf(item), item)
  return copy
}

/** A map without an entry; the same map if there is no such entry. */
export function withoutEntry<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  changes: Changes,
): ReadonlyMap<Key, Value> {
  if (!map.has(key)) return map
  const copy = changes.map(map)
  copy.delete(key)
  return copy
}

/** The values without some of them; the same list if it has none of them. */
export function without(
  values: readonly number[],
  removed: ReadonlySet<number>,
): readonly number[] {
  return values.some((value) => removed.has(value))
    ? values.filter((value) => !removed.has(value))
    : values
}

/** The values and others, each once. */
export function united(values: readonly number[], added: readonly number[]): readonly number[] {
  return [...new Set([...values, ...added])]
}
