import { markdownLink } from '../../../domain/markdown-link.js'

/** Longer texts are truncated first; a message has at most 10,000 characters. */
const maxTextLength = 12_000
/** A link of Slack is an address and a label. */
const maxLinkLength = 4000

/** Slack's marks of emphasis, and those of our Markdown. */
const marks: Readonly<Record<string, string>> = { '*': '**', _: '*', '~': '~~' }

/** A part of a text in which the marks of emphasis have no meaning. */
interface Literal {
  readonly start: number
  readonly end: number
  readonly markdown: string
}

/**
 * Converts Slack's mrkdwn to our Markdown: emphasis, links, mentions, code and character
 * references. It reads each character a fixed number of times.
 *
 * Mentions become plain text, because the ids in them are those of another service.
 */
export function markdownOfSlack(text: string): string {
  const source = text.slice(0, maxTextLength)
  const literals = literalsOf(source)
  const closings = closingMarks(source, literals)
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
    const character = source.charAt(index)
    const innermost = open.at(-1)
    const end = closings.get(character)?.[index]
    if (innermost?.end === index) {
      markdown += innermost.mark
      open.pop()
    } else if (end !== undefined && end !== -1 && isOpening(source, index, innermost?.end)) {
      const mark = marks[character] ?? character
      // Emphasis that ends after the emphasis around it would overlap with that.
      if (innermost === undefined || end < innermost.end) {
        markdown += mark
        open.push({ end, mark })
      } else markdown += character
    } else markdown += character
    index += 1
  }
  return withoutReferences(markdown)
}

/** Code and links, in the order of the text. */
function literalsOf(source: string): Literal[] {
  const literals: Literal[] = []
  let index = 0
  let noFenceFrom = source.length
  while (index < source.length) {
    const literal: Literal | undefined =
      index < noFenceFrom && source.startsWith('```', index)
        ? fencedAt(source, index)
        : (codeAt(source, index) ?? linkAt(source, index))
    if (literal === undefined) {
      // A block that begins here has no end, so blocks that begin later have no end either.
      if (index < noFenceFrom && source.startsWith('```', index)) {
        noFenceFrom = index
        index += 3
      } else index += 1
      continue
    }
    literals.push(literal)
    index = literal.end
  }
  return literals
}

function fencedAt(source: string, start: number): Literal | undefined {
  const close = source.indexOf('```', start + 3)
  if (close === -1) return undefined
  const code = source.slice(start + 3, close).replace(/^\n/, '')
  const before = start === 0 || source[start - 1] === '\n' ? '' : '\n'
  const after = source[close + 3] === '\n' || close + 3 === source.length ? '' : '\n'
  const body = code.endsWith('\n') ? code : `${code}\n`
  return { start, end: close + 3, markdown: `${before}\`\`\`\n${body}\`\`\`${after}` }
}

function codeAt(source: string, start: number): Literal | undefined {
  if (source[start] !== '`' || source[start + 1] === '`') return undefined
  for (let end = start + 1; end < source.length && source[end] !== '\n'; end += 1) {
    if (source[end] === '`') {
      return { start, end: end + 1, markdown: source.slice(start, end + 1) }
    }
  }
  return undefined
}

/** `<https://a.example|label>`, `<@U1|name>`, `<#C1|name>`, `<!here>`. */
function linkAt(source: string, start: number): Literal | undefined {
  if (source[start] !== '<') return undefined
  const inside = source.slice(start + 1, start + maxLinkLength)
  const length = inside.search(/[<>\n]/)
  if (inside[length] !== '>' || !/^[@#!\p{L}]/u.test(inside)) return undefined
  const text = inside.slice(0, length)
  const bar = text.indexOf('|')
  const [target, label] = bar === -1 ? [text, ''] : [text.slice(0, bar), text.slice(bar + 1)]
  return { start, end: start + length + 2, markdown: linkMarkdown(target, label) }
}

function linkMarkdown(target: string, label: string): string {
  const [first, rest] = [target.charAt(0), target.slice(1)]
  if (first === '@' || first === '#') return `${first}${(label || rest).replace(/^[@#]/, '')}`
  if (first === '!') {
    if (label !== '') return label
    return rest.startsWith('date^') || rest.startsWith('subteam^') ? '' : `@${rest}`
  }
  return markdownLink(target, label)
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

/** Slack escapes exactly these three characters. */
function withoutReferences(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
