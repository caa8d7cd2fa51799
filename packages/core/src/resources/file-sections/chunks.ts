/** The list in parts of at most `size`, for statements that cannot be any length. */
export function* chunksOf<Item>(list: readonly Item[], size = 1000): Iterable<readonly Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
