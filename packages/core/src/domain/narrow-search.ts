import { foldCase } from './folding.js'
import { operandText, type NarrowTerm } from './narrow.js'

/** What a text search looks for; every text must occur, in any order and in any case. */
export interface SearchTexts {
  /** Folded words; each may occur in the content or in the topic. */
  readonly words: readonly string[]
  /** Folded phrases, which occur as they are. */
  readonly phrases: readonly string[]
}

/** Reads the operands of a narrow's `search` terms; quoted parts are phrases. */
export function parseSearch(operands: readonly string[]): SearchTexts {
  const phrases: string[] = []
  const rest = operands.join(' ').replaceAll(/"([^"]*)"/g, (_, phrase: string) => {
    if (phrase.trim() !== '') phrases.push(foldCase(phrase))
    return ' '
  })
  const words = rest
    .split(/\s+/)
    .map((word) => foldCase(wordOf(word)))
    .filter((word) => word !== '')
  return { words: [...new Set(words)], phrases: [...new Set(phrases)] }
}

/** What a narrow searches for in texts; undefined if it does not. */
export function highlightableTexts(narrow: readonly NarrowTerm[]): SearchTexts | undefined {
  const searches = narrow.filter(({ operator, isNegated }) => operator === 'search' && !isNegated)
  if (searches.length === 0) return undefined
  return parseSearch(searches.map(({ operand }) => operandText(operand)))
}

/** A word without the punctuation around it, unless there is nothing else. */
function wordOf(text: string): string {
  const word = text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  return word === '' ? text : word
}

/**
 * Wraps every occurrence of the searched texts in the text parts of `html`; what is inside a tag
 * stays as it is.
 */
export function highlightSearch(html: string, { words, phrases }: SearchTexts): string {
  const texts = [...phrases, ...words].map(escapeHtml).sort((a, b) => b.length - a.length)
  if (texts.length === 0) return html
  const wanted = new RegExp(texts.map(escapePattern).join('|'), 'giu')
  return html.replaceAll(/<[^>]*>|[^<]+/g, (part) =>
    part.startsWith('<') ? part : highlightText(part, wanted),
  )
}

/** A character reference is not cut in two: an occurrence inside of one is none. */
function highlightText(text: string, wanted: RegExp): string {
  const references = [...text.matchAll(/&[#\w]+;/g)].map(({ 0: reference, index }) => ({
    start: index,
    end: index + reference.length,
  }))
  return text.replaceAll(wanted, (match, start: number) => {
    const end = start + match.length
    const isCut = references.some(
      (reference) =>
        (start > reference.start && start < reference.end) ||
        (end > reference.start && end < reference.end),
    )
    return isCut ? match : `<span class="highlight">${match}</span>`
  })
}

/** The characters that have a meaning in HTML, as rendered messages write them. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
