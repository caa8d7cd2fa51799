import { foldCase } from './folding.js'
import { operandText, type NarrowTerm } from './narrow.js'
import { highlightWords, stemsOfText } from './search-words.js'

/** So many words are looked for: hardly any message has room for more. */
const maxWantedStems = 5_000
/** So many in each search that must fail: a narrow has room for many, and a statement for so much. */
const maxUnwantedStems = 200
/** So many phrases are looked for; a message holds few that a person would think of. */
const maxPhrases = 50

/** What a text search looks for: every word in any order, and every phrase as it is. */
export interface SearchTexts {
  /** Stems of words, of the phrases too; each may occur in the content or in the topic. */
  readonly stems: readonly string[]
  /** Folded phrases, which occur in the source of the content or in the topic. */
  readonly phrases: readonly string[]
}

/** Reads the operand of a `search` that must not be met. */
export function unwantedTexts(operand: string): SearchTexts {
  return parseSearch([operand], maxUnwantedStems)
}

/** Reads the operands of a narrow's `search` terms; quoted parts are phrases. */
export function parseSearch(
  operands: readonly string[],
  maxStems: number = maxWantedStems,
): SearchTexts {
  const text = operands.join(' ')
  const phrases = new Set<string>()
  for (const [, phrase = ''] of text.matchAll(/"([^"]*)"/g)) {
    if (phrase.trim() !== '' && phrases.size < maxPhrases) phrases.add(foldCase(phrase))
  }
  return { stems: [...stemsOfText(text)].slice(0, maxStems), phrases: [...phrases] }
}

/** What a narrow searches for in texts, and highlights; undefined if it does not. */
export function wantedTexts(narrow: readonly NarrowTerm[]): SearchTexts | undefined {
  const searches = narrow.filter(({ operator, isNegated }) => operator === 'search' && !isNegated)
  if (searches.length === 0) return undefined
  return parseSearch(searches.map(({ operand }) => operandText(operand)))
}

/** Wraps every word that was searched for in the text parts of `html`. */
export function highlightSearch(html: string, { stems }: SearchTexts): string {
  return highlightWords(html, new Set(stems))
}

/** The characters that have a meaning in HTML, as rendered messages write them. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
