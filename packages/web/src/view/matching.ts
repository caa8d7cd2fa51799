/** Whether each word begins a word of the name. */
export function matches(name: string, words: string): boolean {
  const parts = folded(name).split(/[\s_-]+/)
  return folded(words)
    .split(' ')
    .every((word) => parts.some((part) => part.startsWith(word)))
}

/** The first ones by name; those whose names begin with the words come first. */
export function best<Item>(
  items: readonly Item[],
  words: string,
  nameOf: (item: Item) => string,
  count: number,
): Item[] {
  const start = folded(words)
  const { compare } = new Intl.Collator()
  const rank = (item: Item): number => (folded(nameOf(item)).startsWith(start) ? 0 : 1)
  return items
    .map((item) => ({ item, name: nameOf(item), rank: start === '' ? 0 : rank(item) }))
    .sort((a, b) => a.rank - b.rank || compare(a.name, b.name))
    .slice(0, count)
    .map(({ item }) => item)
}

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
