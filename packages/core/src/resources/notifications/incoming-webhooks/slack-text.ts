import { limits } from '../../../domain/limits.js'
import { quoteBlock } from '../../../domain/messages/quote-block.js'
import {
  isListItem,
  literalInline,
  literalLines,
  literalLineStart,
  literalListMark,
  numberOf,
} from './literal-markdown.js'
import { characterAt, literalsOf, type Literal } from './slack-literals.js'
import { decoded } from './slack-references.js'

/** Longer texts are truncated first; a message has at most 10,000 characters. */
const maxTextLength = 12_000
/** Slack's marks of emphasis, and those of our Markdown. */
const marks: Readonly<Record<string, string>> = { '*': '**', _: '*', '~': '~~' }
/** Separates marks that would be read as one. It has no width. */
const joiner = '\u2060'
const fence = '```'

/**
 * Converts Slack's mrkdwn to our Markdown: emphasis, links, mentions, code, quotes and character
 * references. Bullets and numbers become lists; all else is shown as written. It reads each
 * character a fixed number of times.
 *
 * Mentions become plain text, because the ids in them are those of another service.
 */
export function markdownOfSlack(text: string): string {
  const source = text.slice(0, maxTextLength)
  const literals = literalsOf(source, true)
  return withQuotes(withEmphasis(source, literals, closingMarks(source, literals)))
}

/** Converts text that has links and mentions, but no formats, such as a title. */
export function markdownOfLinkedText(source: string): string {
  const markdown = withEmphasis(source, literalsOf(source, false), new Map())
  return markdown.split('\n').map(literalLineStart).join('\n')
}

/** Converts plain text: nothing in it has an effect, except the names of emoji. */
export function markdownOfPlainText(source: string, hasEmoji = true): string {
  return literalLines(plainInline(source, false, hasEmoji))
}

/** The same for a text in a line. */
export function plainInline(source: string, isEmphasized = false, hasEmoji = true): string {
  const text = literalInline(decoded(source), isEmphasized)
  return hasEmoji
    ? text.replaceAll(/(?<=:):skin-tone-[2-6]:/g, '')
    : text.replaceAll(/:(?=[\w+-]{1,100}:)/g, '&#58;')
}

/** Joins parts of a line so that their marks of emphasis and mentions stay separate. */
export function joinedInline(parts: readonly string[]): string {
  let line = ''
  for (const part of parts) line += needsJoiner(line, part) ? joiner + part : part
  return line
}

function needsJoiner(before: string, after: string): boolean {
  const [end, start] = [before.at(-1) ?? '', after.charAt(0)]
  if (start === '*') return end === '*' || end === '@' || end === '#' || before.endsWith('@_')
  return start === '~' || start === '`' || start === '$'
    ? end === start
    : start === '(' && end === ']'
}

function withEmphasis(
  source: string,
  literals: readonly Literal[],
  closings: ReadonlyMap<string, Int32Array>,
): string {
  let markdown = ''
  let index = 0
  let literalIndex = 0
  /** The ends of the emphasis that has begun, innermost last. */
  const open: { readonly end: number; readonly mark: string }[] = []
  while (index < source.length) {
    const literal = literals[literalIndex]
    if (literal?.start === index) {
      markdown += literal.markdown
      index = literal.end
      literalIndex += 1
      continue
    }
    const innermost = open.at(-1)
    const mark = marks[source.charAt(index)] ?? ''
    const end = closings.get(source.charAt(index))?.[index] ?? -1
    // Emphasis that ends after the emphasis around it would overlap with that.
    const isNested = innermost === undefined || end < innermost.end
    if (innermost?.end === index) open.pop()
    else if (end !== -1 && isNested && isOpening(source, index, innermost?.end)) {
      open.push({ end, mark })
    } else {
      const character = characterAt(source, index, open.length > 0)
      markdown += character.markdown
      index = character.end
      continue
    }
    markdown += needsJoiner(markdown, mark) ? joiner + mark : mark
    index += 1
  }
  return markdown
}

/** Quotes the lines that begin with `>`, and all that follow `>>>`. */
function withQuotes(markdown: string): string {
  const lines = markdown.split('\n')
  let isCode = false
  const start = lines.findIndex((line) => {
    if (line === fence) isCode = !isCode
    return !isCode && line.startsWith('>>>')
  })
  if (start === -1) return blocksOf(lines, true)
  const quoted = [(lines[start] ?? '').slice(3).trimStart(), ...lines.slice(start + 1)]
  const quote = quoteBlock('quote', blocksOf(quoted, false), limits.maxMessageLength)
  return start === 0 ? quote : `${blocksOf(lines.slice(0, start), true)}\n${quote}`
}

/** Marks at the beginnings of lines are those of quotes and lists, or have no effect. */
function blocksOf(lines: readonly string[], hasQuotes: boolean): string {
  const shown: string[] = []
  let isCode = false
  let lastNumber: number | undefined
  for (const line of lines) {
    if (line === fence) isCode = !isCode
    if (isCode || line === fence) shown.push(line)
    else if (hasQuotes && line.startsWith('>')) {
      shown.push(`> ${literalLineStart(line.slice(1).trimStart())}`)
    } else {
      const number = numberOf(line)
      // Of a list, only the first number is shown as written.
      const isOther = number !== undefined && lastNumber !== undefined && number !== lastNumber + 1
      const text = literalLineStart(isOther ? literalListMark(line) : line)
      if (belongsTo(shown.at(-1) ?? '', text)) shown.push('')
      shown.push(text)
      lastNumber = number ?? lastNumber
    }
  }
  return shown.join('\n')
}

/** Whether a line would be shown in the quote or the list item above it. */
function belongsTo(above: string, line: string): boolean {
  if (/^\s*$/.test(line)) return false
  return above.startsWith('>') || (isListItem(above) && !isListItem(line) && !line.startsWith(' '))
}

/**
 * For each mark of emphasis, the place where emphasis that begins at an index would end: the next
 * closing mark of its line; -1 if there is none.
 */
function closingMarks(
  source: string,
  literals: readonly Literal[],
): ReadonlyMap<string, Int32Array> {
  const closings = new Map(
    Object.keys(marks).map((mark) => [mark, new Int32Array(source.length).fill(-1)]),
  )
  for (const [mark, nextAt] of closings) {
    let next = -1
    let literalIndex = literals.length - 1
    for (let index = source.length - 1; index >= 0; index -= 1) {
      nextAt[index] = next
      const literal = literals[literalIndex]
      if (literal !== undefined && index < literal.end) {
        if (index === literal.start) literalIndex -= 1
        if (source[index] === '\n') next = -1
        continue
      }
      if (source[index] === '\n') next = -1
      else if (source[index] === mark && isClosing(source, index)) next = index
    }
  }
  return closings
}

const wordCharacter = /[\p{L}\p{N}]/u
const blanks = ' \t\n\r\u00a0'

function isWord(character: string): boolean {
  if (character === '' || blanks.includes(character)) return false
  return wordCharacter.test(character)
}

function isOpening(source: string, index: number, enclosingEnd: number | undefined): boolean {
  const [before, after] = [source.charAt(index - 1), source.charAt(index + 1)]
  if (after === '' || blanks.includes(after) || after === source[index]) return false
  return index + 1 !== enclosingEnd && !isWord(before) && before !== source[index]
}

function isClosing(source: string, index: number): boolean {
  const [before, after] = [source.charAt(index - 1), source.charAt(index + 1)]
  if (before === '' || blanks.includes(before) || before === source[index]) return false
  return !isWord(after) && after !== source[index]
}
