import { stemmer } from 'stemmer'

import { stopWords } from './english-stop-words.js'
import { foldCase } from './folding.js'

/** Maximum length of a stem; longer words are truncated, and match by their beginning. */
export const maxWordLength = 64

// These scripts do not separate words by spaces: each letter with its marks counts as a word.
const unspaced =
  '\\p{Script=Han}|\\p{Script=Hiragana}|\\p{Script=Katakana}|\\p{Script=Thai}|\\p{Script=Lao}|\\p{Script=Khmer}|\\p{Script=Myanmar}'
const wordPattern = new RegExp(
  `(?:${unspaced})\\p{M}*|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
)
const tagOrText = /<[^>]*>|[^<]+/g
const characterReference = /&#?\w+;/g

/** A word of a text, its position, and the stem that it is indexed under. */
export interface SearchableWord {
  readonly start: number
  readonly end: number
  /** Undefined for a stop word, which is not searched for. */
  readonly stem: string | undefined
}

/**
 * The words of a plain text. Words that differ only in case or in an English ending have the same
 * stem: `Meetings` and `meet`.
 */
export function wordsOf(text: string): SearchableWord[] {
  return Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    stem: stemOf(word),
  }))
}

/** The stems of a plain text, each once. */
export function stemsOfText(text: string): Set<string> {
  const stems = new Set<string>()
  for (const { stem } of wordsOf(text)) if (stem !== undefined) stems.add(stem)
  return stems
}

/** The stems of the visible text of rendered HTML, each once. */
export function stemsOfHtml(html: string): Set<string> {
  const stems = new Set<string>()
  for (const [part] of html.matchAll(tagOrText)) {
    if (part.startsWith('<')) continue
    for (const stem of stemsOfText(part.replaceAll(characterReference, ' '))) stems.add(stem)
  }
  return stems
}

/**
 * Wraps the words with these stems in the text parts of `html`; tags and character references are
 * left unchanged.
 */
export function highlightWords(html: string, stems: ReadonlySet<string>): string {
  if (stems.size === 0) return html
  return html.replaceAll(tagOrText, (part) =>
    part.startsWith('<') ? part : highlightInText(part, stems),
  )
}

function highlightInText(text: string, stems: ReadonlySet<string>): string {
  // Replaced by as many characters, so that all positions stay the same.
  const readable = text.replaceAll(characterReference, (found) => ' '.repeat(found.length))
  let highlighted = ''
  let done = 0
  for (const { start, end, stem } of wordsOf(readable)) {
    if (stem === undefined || !stems.has(stem)) continue
    highlighted += `${text.slice(done, start)}<span class="highlight">${text.slice(start, end)}</span>`
    done = end
  }
  return highlighted + text.slice(done)
}

function stemOf(word: string): string | undefined {
  const folded = foldCase(word)
  if (stopWords.has(folded)) return undefined
  return (/^[a-z]+$/.test(folded) ? stemmer(folded) : folded).slice(0, maxWordLength)
}
