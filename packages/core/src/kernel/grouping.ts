/** Appends a value to the list of its key, and creates the list if necessary. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** The items with the same key: at least one. */
export type Group<Item> = [Item, ...Item[]]

/** Groups the items by key, in their order. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Group<Item>> {
  const groups = new Map<Key, Group<Item>>()
  for (const item of items) addTo(groups, keyOf(item), item)
  return groups
}

/** A list, and the keys that share it. */
export interface SharedList<Key, Item> {
  readonly keys: Key[]
  readonly items: readonly Item[]
}

/**
 * Groups keys with equal lists, compared by the ids of their items; in the order of first
 * occurrence.
 */
export function shareLists<Key, Item>(
  lists: ReadonlyMap<Key, readonly Item[]>,
  idOf: (item: Item) => number,
): SharedList<Key, Item>[] {
  const shared = new Map<string, SharedList<Key, Item>>()
  for (const [key, items] of lists) {
    const ids = items.map(idOf).join()
    const known = shared.get(ids)
    if (known === undefined) shared.set(ids, { keys: [key], items })
    else known.keys.push(key)
  }
  return [...shared.values()]
}
