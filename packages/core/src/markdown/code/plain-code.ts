import { isSpace, wordCharacterLength } from '../characters.js'
import type { CodeToken } from '../context.js'

/** Languages whose plain names Pygments classifies as "other", and whose dot is punctuation. */
const otherNameLanguages = new Set(['javascript', 'typescript', 'go', 'php'])
/** Languages between whose tokens Pygments leaves whitespace unmarked. */
const bareSpaceLanguages = new Set(['python', 'ruby', 'perl', 'markdown', 'yaml', 'html, xml'])
const punctuation = new Set('()[]{},;:')

/**
 * Splits text that highlight.js leaves unmarked into names, numbers, operators, punctuation and
 * whitespace.
 */
export function splitPlainCode(text: string, language: string): CodeToken[] {
  if (language === 'diff' || language === 'markdown' || language === 'html, xml') return [{ text }]
  const tokens: CodeToken[] = []
  const isOtherNames = otherNameLanguages.has(language)
  let start = 0
  while (start < text.length) {
    const end = endOfToken(text, start)
    const part = text.slice(start, end)
    if (isSpace(part.charCodeAt(0))) {
      tokens.push(
        bareSpaceLanguages.has(language) ? { text: part } : { text: part, className: 'w' },
      )
    } else if (/^[0-9]/.test(part)) {
      tokens.push({ text: part, className: 'mi' })
    } else if (wordCharacterLength(part, 0) > 0 || part.startsWith('$')) {
      tokens.push({ text: part, className: isOtherNames ? 'nx' : 'n' })
    } else {
      const isPunctuation = punctuation.has(part) || (part === '.' && isOtherNames)
      tokens.push({ text: part, className: isPunctuation ? 'p' : 'o' })
    }
    start = end
  }
  return tokens
}

/** Runs of spaces and of name characters are one token; every other character is a token. */
function endOfToken(text: string, start: number): number {
  const startsWithSpace = isSpace(text.charCodeAt(start))
  let end = start
  while (end < text.length) {
    if (isSpace(text.charCodeAt(end)) !== startsWithSpace) break
    const length = startsWithSpace ? 1 : nameLength(text, end)
    if (length === 0) break
    end += length
  }
  if (end > start) return end
  return start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
}

function nameLength(text: string, index: number): number {
  return text.charCodeAt(index) === 0x24 ? 1 : wordCharacterLength(text, index)
}
