import { stemmer } from 'stemmer'

import { foldAccents } from './accent-folding.js'
import { codePointLength, foldCase, toWellFormed } from './folding.js'
import { emojiIn, type SearchedEmoji } from './searched-emoji.js'

/** English words that are too frequent to be useful in a search. */
const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are as at be because been before being below
  between both but by can did do does doing don down during each few for from further had has have
  having he her here hers herself him himself his how i if in into is it its itself just me more most
  my myself no nor not now of off on once only or other our ours ourselves out over own s same she
  should so some such t than that the their theirs them themselves then there these they this those
  through to too under until up very was we were what when where which while who whom why will with
  you your yours yourself yourselves`.split(/\s+/),
)

/** Maximum length of an indexed word; longer ones are truncated, and match by their beginning. */
export const maxWordLength = 64

// These scripts do not separate words by spaces: each letter with its marks counts as a word.
const unspaced =
  '\\p{Script=Han}|\\p{Script=Hiragana}|\\p{Script=Katakana}|\\p{Script=Thai}|\\p{Script=Lao}|\\p{Script=Khmer}|\\p{Script=Myanmar}'
const wordPattern = new RegExp(
  `((?:${unspaced})\\p{M}*)|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
)
const tagOrText = /<[^>]*>|[^<]+/g
/** An emoji that is an image shows its name instead of a text. */
const imageEmoji = /^<img alt="(:[^"]*:)" class="emoji"/
/** Some of them take 10 µs each. */
const wordsPerStep = 50
const characterReference = /&#?\w+;/g

/** A word of a text, its position, and the terms that it is indexed under. */
export interface SearchableWord {
  readonly start: number
  readonly end: number
  /** Undefined for a stop word, which is not searched for. */
  readonly stem: string | undefined
  /** The word itself, in lower case and without accents. */
  readonly form: string
  /** Whether it is one letter of a script without spaces. */
  readonly isLetter: boolean
}

/** The last word of a search, which also finds the words that begin with it. */
export interface WordBeginning {
  readonly stem: string
  readonly form: string
}

/** Terms that a message must contain: each of the words, and the beginning of a word, if any. */
export interface WantedWords {
  /** As `indexedWords` returns them. */
  readonly words: readonly string[]
  readonly beginning: WordBeginning | undefined
}

/**
 * The words of a plain text. Words that differ only in case, accents or an English ending have the
 * same stem: `Meetings` and `meet`.
 */
export function wordsOf(text: string): SearchableWord[] {
  return Array.from(text.matchAll(wordPattern), searchableWord)
}

function searchableWord({ 0: word, 1: letter, index }: RegExpExecArray): SearchableWord {
  const folded = foldAccents(word)
  // Of another language, such as the French "thé", if it has accents.
  const isStopWord = stopWords.has(foldCase(word))
  return {
    start: index,
    end: index + word.length,
    stem: isStopWord ? undefined : stemOf(folded),
    form: truncated(folded),
    isLetter: letter !== undefined,
  }
}

/**
 * The terms that a plain text is indexed under: the stem and the form of each word, in scripts
 * without spaces each letter and each pair of adjacent letters, and each emoji.
 */
export function indexedWords(text: string): Set<string> {
  const indexed = new Set<string>()
  for (const _ of indexing(text, indexed)) continue
  return indexed
}

/** Adds the terms that a plain text is indexed under; stops after each few words. */
function* indexing(text: string, indexed: Set<string>): Generator<void> {
  let before: SearchableWord | undefined
  let count = 0
  for (const match of text.matchAll(wordPattern)) {
    const word = searchableWord(match)
    count += 1
    if (count % wordsPerStep === 0) yield
    if (word.stem !== undefined) indexed.add(word.stem).add(word.form)
    if (before !== undefined && areAdjacentLetters(before, word)) {
      indexed.add(truncated(before.form + word.form))
    }
    before = word
  }
  for (const { word } of emojiIn(text)) indexed.add(truncated(word))
}

/** The same for the visible text of rendered HTML, in steps between which long work can yield. */
export function* indexHtml(html: string): Generator<void, Set<string>> {
  const indexed = new Set<string>()
  for (const [part] of html.matchAll(tagOrText)) {
    const visible = part.startsWith('<') ? (imageEmoji.exec(part)?.[1] ?? '') : part
    if (visible === '') continue
    yield
    yield* indexing(visible.replaceAll(characterReference, ' '), indexed)
  }
  return indexed
}

/**
 * The terms of a search: the stems of its words, the letters and pairs of letters of scripts
 * without spaces, and its emoji.
 *
 * @param last the word whose beginning is enough.
 */
export function wantedWords(
  words: readonly SearchableWord[],
  emoji: readonly SearchedEmoji[],
  last?: SearchableWord,
): Set<string> {
  const wanted = new Set(emoji.map(({ word }) => truncated(word)))
  let before: SearchableWord | undefined
  for (const word of words) {
    if (word.stem !== undefined && word !== last) wanted.add(word.stem)
    if (before !== undefined && areAdjacentLetters(before, word)) {
      wanted.add(truncated(before.form + word.form))
    }
    before = word
  }
  return wanted
}

/** Whether the beginning of the word is selective enough to be searched for. */
export function isLongEnoughBeginning({ stem, form, isLetter }: SearchableWord): boolean {
  if (stem === undefined || isLetter) return false
  return codePointLength(form) >= (/^[a-z\d]+$/.test(form) ? 3 : 2)
}

/** Whether the terms that a text is indexed under include all wanted ones. */
export function hasWanted(
  indexed: ReadonlySet<string>,
  { words, beginning }: WantedWords,
): boolean {
  if (!words.every((word) => indexed.has(word))) return false
  return beginning === undefined || hasBeginning(indexed, beginning)
}

function hasBeginning(indexed: Iterable<string>, { stem, form }: WordBeginning): boolean {
  for (const word of indexed) if (word === stem || word.startsWith(form)) return true
  return false
}

/**
 * Wraps the wanted words in the text parts of `html`; tags and character references are left
 * unchanged.
 */
export function highlightWords(html: string, { words, beginning }: WantedWords): string {
  const wanted = new Set(words)
  if (wanted.size === 0 && beginning === undefined) return html
  const isWanted = ({ stem, form }: SearchableWord): boolean =>
    stem !== undefined &&
    (wanted.has(stem) ||
      wanted.has(form) ||
      (beginning !== undefined && hasBeginning([stem, form], beginning)))
  return html.replaceAll(tagOrText, (part) =>
    part.startsWith('<') ? part : highlightInText(part, isWanted, wanted),
  )
}

function highlightInText(
  text: string,
  isWanted: (word: SearchableWord) => boolean,
  wanted: ReadonlySet<string>,
): string {
  // Replaced by as many characters, so that all positions stay the same.
  const readable = text.replaceAll(characterReference, (found) => ' '.repeat(found.length))
  let highlighted = ''
  let done = 0
  const found = [
    ...wordsOf(readable).filter(isWanted),
    ...emojiIn(readable).filter(({ word }) => wanted.has(truncated(word))),
  ]
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    // A word in the name of an emoji that is highlighted.
    if (start < done) continue
    highlighted += `${text.slice(done, start)}<span class="highlight">${text.slice(start, end)}</span>`
    done = end
  }
  return highlighted + text.slice(done)
}

function areAdjacentLetters(first: SearchableWord, second: SearchableWord): boolean {
  return first.isLetter && second.isLetter && first.end === second.start
}

function stemOf(folded: string): string {
  return truncated(/^[a-z]+$/.test(folded) ? stemmer(folded) : folded)
}

/** Without half a code point at its end, which databases replace by another character. */
function truncated(word: string): string {
  return word.length <= maxWordLength ? word : toWellFormed(word.slice(0, maxWordLength))
}
