/** Splits a list into parts of at most `size` items, for statements of bounded length. */
export function* chunksOf<Item>(list: readonly Item[], size = 1000): Iterable<readonly Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
