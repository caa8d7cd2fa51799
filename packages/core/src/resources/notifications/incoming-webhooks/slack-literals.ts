import { literalCharacter } from './literal-markdown.js'
import { linkAt } from './slack-links.js'
import { decoded, referenceAt } from './slack-references.js'

/** Our mentions and links to channels, which Slack does not have. */
const ownReference = /(?:@_?\*{1,2}|#\*\*)[^*\n]{1,200}\*{1,2}/y
const skinTone = /:skin-tone-[2-6]:/y
/** `literalCharacter` reads no more of the text after a character. */
const lookahead = 50

/** A part of a text in which the marks of emphasis have no meaning. */
export interface Literal {
  readonly start: number
  readonly end: number
  readonly markdown: string
}

/**
 * The links and mentions of a text and, if the text has formats, its code, in the order of the
 * text.
 */
export function literalsOf(source: string, hasFormats: boolean): Literal[] {
  const literals: Literal[] = []
  let index = 0
  let noFenceFrom = source.length
  while (index < source.length) {
    const isFence = hasFormats && index < noFenceFrom && source.startsWith('```', index)
    const literal = isFence ? fencedAt(source, index) : inlineAt(source, index, hasFormats)
    if (literal !== undefined) {
      literals.push(literal)
      index = literal.end
    } else if (isFence) {
      // A block that begins here has no end, so blocks that begin later have no end either.
      noFenceFrom = index
      index += 3
    } else index += 1
  }
  return literals
}

/**
 * The Markdown of one character, which may be written as a character reference, and where the next
 * one begins.
 */
export function characterAt(
  source: string,
  index: number,
  isEmphasized: boolean,
): { readonly markdown: string; readonly end: number } {
  const reference = source[index] === '&' ? referenceAt(source, index) : undefined
  if (reference !== undefined) {
    const end = index + reference.length
    const text = decoded(reference) + source.slice(end, end + lookahead)
    return { markdown: literalCharacter(text, 0, isEmphasized), end }
  }
  if (source[index] === ':' && source[index - 1] === ':') {
    skinTone.lastIndex = index
    if (skinTone.test(source)) return { markdown: '', end: skinTone.lastIndex }
  }
  return { markdown: literalCharacter(source, index, isEmphasized), end: index + 1 }
}

function inlineAt(source: string, start: number, hasFormats: boolean): Literal | undefined {
  switch (source[start]) {
    case '<':
      return linkAt(source, start)
    case '`':
      return hasFormats ? codeAt(source, start) : undefined
    case '@':
    case '#':
      return hasFormats ? ownReferenceAt(source, start) : undefined
    default:
      return undefined
  }
}

function fencedAt(source: string, start: number): Literal | undefined {
  const close = source.indexOf('```', start + 3)
  if (close === -1) return undefined
  const code = decoded(source.slice(start + 3, close).replace(/^\n/, ''))
  const before = start === 0 || source[start - 1] === '\n' ? '' : '\n'
  const after = source[close + 3] === '\n' || close + 3 === source.length ? '' : '\n'
  const body = code.endsWith('\n') ? code : `${code}\n`
  return { start, end: close + 3, markdown: `${before}\`\`\`\n${body}\`\`\`${after}` }
}

function codeAt(source: string, start: number): Literal | undefined {
  if (source[start + 1] === '`') return undefined
  for (let end = start + 1; end < source.length && source[end] !== '\n'; end += 1) {
    if (source[end] === '`') {
      return { start, end: end + 1, markdown: decoded(source.slice(start, end + 1)) }
    }
  }
  return undefined
}

function ownReferenceAt(source: string, start: number): Literal | undefined {
  ownReference.lastIndex = start
  const [markdown] = ownReference.exec(source) ?? []
  return markdown === undefined ? undefined : { start, end: start + markdown.length, markdown }
}
