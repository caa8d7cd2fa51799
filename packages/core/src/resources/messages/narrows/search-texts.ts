import { foldCase } from '../../../domain/folding.js'
import { operandText, type NarrowTerm } from './narrow.js'
import { highlightWords, stemsOfText } from '../../../domain/search-words.js'

/** Maximum number of words that are searched for; few messages have as many. */
const maxWantedStems = 5_000
/**
 * Maximum number of words in each negated search: a narrow can have many negated searches, but the
 * size of a statement is limited.
 */
const maxUnwantedStems = 200
/** Maximum number of phrases that are searched for. */
const maxPhrases = 50

/** The texts that a search looks for: every word in any order, and every phrase literally. */
export interface SearchTexts {
  /**
   * Stems of words, including those of the phrases; each may occur in the content or in the topic.
   */
  readonly stems: readonly string[]
  /** Folded phrases, which occur in the source of the content or in the topic. */
  readonly phrases: readonly string[]
}

/** Parses the operand of a negated `search` term. */
export function unwantedTexts(operand: string): SearchTexts {
  return parseSearch([operand], maxUnwantedStems)
}

/** Parses the operands of a narrow's `search` terms; quoted parts are phrases. */
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

/** The texts that a narrow searches for and highlights; undefined without a `search` term. */
export function wantedTexts(narrow: readonly NarrowTerm[]): SearchTexts | undefined {
  const searches = narrow.filter(({ operator, isNegated }) => operator === 'search' && !isNegated)
  if (searches.length === 0) return undefined
  return parseSearch(searches.map(({ operand }) => operandText(operand)))
}

/** Wraps every matching word in the text parts of `html`. */
export function highlightSearch(html: string, { stems }: SearchTexts): string {
  return highlightWords(html, new Set(stems))
}

/** Escapes the special characters of HTML, as rendered messages do. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
