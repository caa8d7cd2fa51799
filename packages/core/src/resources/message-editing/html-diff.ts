import { diffArrays } from 'diff'

/**
 * Highest number of tokens that may be inserted and deleted between two renderings that are
 * compared word by word. The time of a comparison grows with its square: this many take some
 * 10 ms.
 */
export const maxComparedChanges = 200

/** A run of tokens that both renderings have, or that only one of them has. */
interface DiffPart {
  readonly value: readonly string[]
  readonly added?: boolean
  readonly removed?: boolean
}

/**
 * Marks the words that differ between two renderings of a message; tags are never inside a mark.
 *
 * Two renderings that differ in more than {@link maxComparedChanges} tokens are not compared: from
 * the first difference to the last one, everything is marked as deleted, then everything as
 * inserted.
 *
 * @param before HTML of the older version.
 * @param after HTML of the newer version.
 * @returns HTML in a `<div>`.
 */
export function htmlDiff(before: string, after: string): string {
  const marked = diffParts(tokensOf(before), tokensOf(after)).map(({ value, added, removed }) => {
    if (!added && !removed) return value.join('')
    const name = added ? 'highlight_text_inserted' : 'highlight_text_deleted'
    return value
      .map((token) => {
        // A removed tag would break the page; a new one is needed as it is.
        if (token.startsWith('<')) return added ? token : ''
        return `<span class="${name}">${token}</span>`
      })
      .join('')
  })
  return `<div>${marked.join('')}</div>`
}

function diffParts(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  if (leastChanges(before, after) <= maxComparedChanges) {
    const options = { maxEditLength: maxComparedChanges }
    const parts = diffArrays([...before], [...after], options)
    if (parts !== undefined) return parts
  }
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return [
    { value: before.slice(0, start) },
    { value: before.slice(start, before.length - end), removed: true },
    { value: after.slice(start, after.length - end), added: true },
    { value: after.slice(after.length - end) },
  ]
}

/** How many tokens differ whatever their order: a lower bound that is quick to compute. */
function leastChanges(before: readonly string[], after: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const token of before) counts.set(token, (counts.get(token) ?? 0) + 1)
  for (const token of after) counts.set(token, (counts.get(token) ?? 0) - 1)
  let changes = 0
  for (const count of counts.values()) changes += Math.abs(count)
  return changes
}

/** Tags, words and the space between them. */
function tokensOf(html: string): string[] {
  return html.match(/<[^>]*>|[^<\s]+|\s+/g) ?? []
}
