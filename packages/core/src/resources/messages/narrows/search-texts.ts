import { foldCase } from '../../../domain/folding.js'
import { emojiIn, type SearchedEmoji } from '../../../domain/searched-emoji.js'
import { operandText, type NarrowTerm } from './narrow.js'
import {
  isLongEnoughBeginning,
  wantedWords,
  wordsOf,
  type SearchableWord,
  type WantedWords,
} from '../../../domain/search-words.js'

/** Maximum number of words that are searched for; few messages have as many. */
const maxWantedWords = 5_000
/**
 * Maximum number of words in each negated search: a narrow can have many negated searches, but the
 * size of a statement is limited.
 */
const maxUnwantedWords = 200
/** Maximum number of phrases that are searched for. */
const maxPhrases = 50

/**
 * The texts that a search looks for: every word in any order, including those of the phrases, each
 * in the content or in the topic; and every phrase literally.
 */
export interface SearchTexts extends WantedWords {
  /** Folded phrases, which occur in the source of the content or in the topic. */
  readonly phrases: readonly string[]
}

/** Parses the operand of a negated `search` term. */
export function unwantedTexts(operand: string): SearchTexts {
  return parseSearch([operand], maxUnwantedWords)
}

/**
 * Parses the operands of a narrow's `search` terms; quoted parts are phrases. Of the last word,
 * unless it is in a phrase, the beginning is enough.
 */
export function parseSearch(
  operands: readonly string[],
  maxWords: number = maxWantedWords,
): SearchTexts {
  const text = operands.join(' ')
  const phrases = new Set<string>()
  let phrasesEnd = 0
  for (const { 0: quoted, 1: phrase = '', index } of text.matchAll(/"([^"]*)"/g)) {
    phrasesEnd = index + quoted.length
    if (phrase.trim() !== '' && phrases.size < maxPhrases) phrases.add(foldCase(phrase))
  }
  const emoji = emojiIn(text)
  const found = wordsOutside(emoji, text)
  const last = found.at(-1)
  const isLast = (last?.start ?? 0) >= Math.max(phrasesEnd, emoji.at(-1)?.end ?? 0)
  const beginning = last !== undefined && isLast && isLongEnoughBeginning(last) ? last : undefined
  return {
    words: [...wantedWords(found, emoji, beginning)].slice(0, maxWords),
    beginning:
      beginning?.stem === undefined ? undefined : { stem: beginning.stem, form: beginning.form },
    phrases: [...phrases],
  }
}

/** The words of a text, without those in the names of emoji. Both are in the order of the text. */
function wordsOutside(emoji: readonly SearchedEmoji[], text: string): SearchableWord[] {
  let next = 0
  return wordsOf(text).filter(({ start }) => {
    while ((emoji[next]?.end ?? Infinity) <= start) next += 1
    return start < (emoji[next]?.start ?? Infinity)
  })
}

/** The texts that a narrow searches for and highlights; undefined without a `search` term. */
export function wantedTexts(narrow: readonly NarrowTerm[]): SearchTexts | undefined {
  const searches = narrow.filter(({ operator, isNegated }) => operator === 'search' && !isNegated)
  if (searches.length === 0) return undefined
  return parseSearch(searches.map(({ operand }) => operandText(operand)))
}

/** Escapes the special characters of HTML, as rendered messages do. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
