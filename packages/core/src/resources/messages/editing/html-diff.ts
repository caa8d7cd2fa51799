import { createRequire } from 'node:module'

import type { diffArrays as DiffArrays } from 'diff'

const require = createRequire(import.meta.url)

/**
 * Maximum number of insertions and deletions between two renderings that are compared word by
 * word. The time of a comparison grows with the square of this number: 200 take about 10 ms.
 */
export const maxComparedChanges = 200

/** A run of tokens that both renderings or only one of them contains. */
interface DiffPart {
  readonly value: readonly string[]
  readonly added?: boolean
  readonly removed?: boolean
}

/**
 * Marks the words that differ between two renderings of a message; marks never contain tags.
 *
 * Renderings that differ in more than {@link maxComparedChanges} tokens are not compared: all
 * tokens from the first to the last difference are marked as deleted, then as inserted.
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
        // A removed tag would break the markup; an inserted tag belongs to it.
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
    const parts = loadDiff().diffArrays([...before], [...after], options)
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

/** Loaded on first use. */
function loadDiff(): { readonly diffArrays: typeof DiffArrays } {
  return require('diff')
}

/** The number of tokens that differ regardless of order: a lower bound that is fast to compute. */
function leastChanges(before: readonly string[], after: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const token of before) counts.set(token, (counts.get(token) ?? 0) + 1)
  for (const token of after) counts.set(token, (counts.get(token) ?? 0) - 1)
  let changes = 0
  for (const count of counts.values()) changes += Math.abs(count)
  return changes
}

/** Splits HTML into tags, words and the white space between them. */
function tokensOf(html: string): string[] {
  return html.match(/<[^>]*>|[^<\s]+|\s+/g) ?? []
}
