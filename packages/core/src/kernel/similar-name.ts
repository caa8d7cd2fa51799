/** Names with more differing characters are not meant. */
const maxDifferences = 2

/** The name that somebody most likely meant who has written another one; undefined if none is similar. */
export function similarName(written: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let fewest = maxDifferences + 1
  for (const name of names) {
    if (Math.abs(name.length - written.length) >= fewest) continue
    const count = differences(written.toLowerCase(), name.toLowerCase())
    if (count < fewest) [best, fewest] = [name, count]
  }
  return best
}

/** Number of characters to add, remove or replace in one text to make it the other. */
function differences(one: string, other: string): number {
  let counts = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (counts[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1)
      const removed = (counts[column] ?? 0) + 1
      const added = (next[column - 1] ?? 0) + 1
      next.push(Math.min(replaced, removed, added))
    }
    counts = next
  }
  return counts[other.length] ?? 0
}
