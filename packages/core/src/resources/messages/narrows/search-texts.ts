import { foldCase } from '../../../domain/texts/folding.js'
import {
  isLongEnoughBeginning,
  wantedWords,
  wordsOf,
  type SearchableWord,
  type WantedWords,
} from '../../../domain/texts/search-words.js'
import { emojiIn, type SearchedEmoji } from '../../../domain/texts/searched-emoji.js'
import { namedText } from '../../../errors/index.js'
import { badNarrow } from './bad-narrow.js'
import { operandText, type NarrowTerm } from './narrow.js'

/**
 * The limits of all `search` terms of a narrow together, negated or not: the database looks for
 * each word and each phrase in each message that it compares with the narrow.
 */
export const searchBounds = { words: 200, phrases: 50, characters: 10_000 } as const

/**
 * The texts that a search looks for: every word in any order, including those of the phrases, each
 * in the content or in the topic; and every phrase literally.
 */
export interface SearchTexts extends WantedWords {
  /** Folded phrases, which occur in the source of the content or in the topic. */
  readonly phrases: readonly string[]
}

/**
 * Parses the operands of a narrow's `search` terms; quoted parts are phrases. Of the last word,
 * unless it is in a phrase, the beginning is enough.
 */
export function parseSearch(operands: readonly string[]): SearchTexts {
  const text = operands.join(' ')
  const phrases = new Set<string>()
  let phrasesEnd = 0
  for (const { 0: quoted, 1: phrase = '', index } of text.matchAll(/"([^"]*)"/g)) {
    phrasesEnd = index + quoted.length
    if (phrase.trim() !== '') phrases.add(foldCase(phrase))
  }
  const emoji = emojiIn(text)
  const found = wordsOutside(emoji, text)
  const last = found.at(-1)
  const isLast = (last?.start ?? 0) >= Math.max(phrasesEnd, emoji.at(-1)?.end ?? 0)
  const beginning = last !== undefined && isLast && isLongEnoughBeginning(last) ? last : undefined
  return {
    words: [...wantedWords(found, emoji, beginning)],
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

/** The text searches of a narrow. */
export interface NarrowSearches {
  /** That of all terms that are not negated: a stop word such as "the" alone would find nothing. */
  readonly wanted: SearchTexts | undefined
  /** That of each negated term. */
  readonly unwanted: readonly SearchTexts[]
}

/** @throws {ChatError} `BAD_NARROW` if they exceed {@link searchBounds}. */
export function searchesOf(narrow: readonly NarrowTerm[]): NarrowSearches {
  const terms = narrow.filter(({ operator }) => operator === 'search')
  const operands = terms.map(({ operand }) => operandText(operand))
  requireWithin({ characters: operands.reduce((sum, { length }) => sum + length, 0) })
  const wantedTerms = terms.filter(({ isNegated }) => !isNegated)
  const wanted =
    wantedTerms.length === 0
      ? undefined
      : parseSearch(wantedTerms.map(({ operand }) => operandText(operand)))
  const unwanted = terms
    .filter(({ isNegated }) => isNegated)
    .map(({ operand }) => parseSearch([operandText(operand)]))
  const used = { words: 0, phrases: 0 }
  for (const { words, beginning, phrases } of wanted === undefined
    ? unwanted
    : [wanted, ...unwanted]) {
    used.words += words.length + (beginning === undefined ? 0 : 1)
    used.phrases += phrases.length
  }
  requireWithin(used)
  return { wanted, unwanted }
}

function requireWithin(used: Readonly<Partial<Record<keyof typeof searchBounds, number>>>): void {
  const { words = 0, phrases = 0, characters = 0 } = used
  const isWithin =
    words <= searchBounds.words &&
    phrases <= searchBounds.phrases &&
    characters <= searchBounds.characters
  if (!isWithin) throw badNarrow(namedText('NARROW_SEARCH_TOO_LARGE', searchBounds))
}

/** Escapes the special characters of HTML, as rendered messages do. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
