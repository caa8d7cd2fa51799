import { isSpace } from '../characters.js'
import type { ApplyInlineRule, Fragment, InlineScope } from './inline-scope.js'
import { TokenTextBuilder, type Token, type TokenText } from './token-text.js'

type RenderContent = (content: TokenText) => Fragment

/** `***x***`: bold italics within a line, without `*` or `^` in it and without space at its ends. */
export const replaceStrongEmphasis: ApplyInlineRule = (source, scope, renderContent) =>
  replaceTight(source, scope, renderContent, '***', '<strong><em>', '</em></strong>')

/** `*x*`: italics, also inside words; the same conditions as bold italics. */
export const replaceEmphasis: ApplyInlineRule = (source, scope, renderContent) =>
  replaceTight(source, scope, renderContent, '*', '<em>', '</em>')

/** `**x**`: bold within a line, as short as possible, with any inner spaces. */
export const replaceStrong: ApplyInlineRule = (source, { budget }, renderContent) => {
  const { text } = source
  const builder = new TokenTextBuilder(source)
  let start = text.indexOf('**')
  let lineEnd = endOfLine(text, 0)
  while (start !== -1) {
    if (start > lineEnd) lineEnd = endOfLine(text, start)
    const close = text.indexOf('**', start + 3)
    if (close === -1) break
    budget.spend(close - start)
    if (close > lineEnd) {
      start = text.indexOf('**', lineEnd)
      continue
    }
    const content = renderContent(builder.slice(start + 2, close))
    builder.replace(start, close + 2, wrap(content, '<strong>', '</strong>'))
    start = text.indexOf('**', close + 2)
  }
  return builder.finish()
}

/** `~~x~~`: strikethrough, without `~` or a newline in it and without a third `~` outside. */
export const replaceStrike: ApplyInlineRule = (source, { budget }, renderContent) => {
  const { text } = source
  const builder = new TokenTextBuilder(source)
  let opening = nextTildeRun(text, 0)
  while (opening !== undefined) {
    const closing = nextTildeRun(text, opening.end)
    if (closing === undefined) break
    budget.spend(closing.end - opening.start)
    const isPair = opening.length === 2 && closing.length === 2
    if (isPair && !hasNewline(text, opening.end, closing.start)) {
      const content = renderContent(builder.slice(opening.end, closing.start))
      builder.replace(opening.start, closing.end, wrap(content, '<del>', '</del>'))
      opening = nextTildeRun(text, closing.end)
    } else {
      opening = closing
    }
  }
  return builder.finish()
}

function replaceTight(
  source: TokenText,
  { budget }: InlineScope,
  renderContent: RenderContent,
  marks: string,
  openTag: string,
  closeTag: string,
): TokenText {
  const { text } = source
  const width = marks.length
  const builder = new TokenTextBuilder(source)
  let runStart = text.indexOf(marks)
  while (runStart !== -1) {
    let contentStart = runStart + width
    while (text[contentStart] === '*') contentStart += 1
    const contentEnd = endOfTightContent(text, contentStart)
    budget.spend(contentEnd - runStart + 1)
    const isClosed = contentEnd > contentStart && text.startsWith(marks, contentEnd)
    const isTight =
      isClosed &&
      !isSpace(text.charCodeAt(contentStart)) &&
      !isSpace(text.charCodeAt(contentEnd - 1))
    if (isTight) {
      const content = renderContent(builder.slice(contentStart, contentEnd))
      builder.replace(contentStart - width, contentEnd + width, wrap(content, openTag, closeTag))
      runStart = text.indexOf(marks, contentEnd + width)
    } else {
      runStart = text.indexOf(marks, contentEnd)
    }
  }
  return builder.finish()
}

function endOfTightContent(text: string, start: number): number {
  let end = start
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === 0x2a || code === 0x5e || code === 0x0a) break
    end += 1
  }
  return end
}

interface TildeRun {
  readonly start: number
  readonly end: number
  readonly length: number
}

function nextTildeRun(text: string, from: number): TildeRun | undefined {
  const start = text.indexOf('~', from)
  if (start === -1) return undefined
  let end = start + 1
  while (text[end] === '~') end += 1
  return { start, end, length: end - start }
}

function hasNewline(text: string, start: number, end: number): boolean {
  // Searching no further than `end` keeps the pass linear if the next newline is far away.
  for (let index = start; index < end; index += 1) {
    if (text.charCodeAt(index) === 0x0a) return true
  }
  return false
}

function endOfLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start)
  return newline === -1 ? text.length : newline
}

function wrap({ html, links }: Fragment, openTag: string, closeTag: string): Token {
  return { html: openTag + html + closeTag, links }
}
