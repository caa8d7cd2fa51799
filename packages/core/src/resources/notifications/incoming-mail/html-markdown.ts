import type { Parser } from 'htmlparser2'

import { limits } from '../../../domain/limits.js'
import { markdownLink } from '../../../domain/markdown-link.js'
import { quoteBlock } from '../../../domain/quote-block.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { loadHtmlParser } from './load-packages.js'
import type { KeptParts } from './mail-text.js'

/** What is read of a document, and written of its text, in characters. */
const maxHtmlLength = 1024 * 1024
const maxTextLength = 2 * limits.maxMessageLength
/** Elements that are nested more deeply are text of the ones around them. */
const maxDepth = 60
/** The parser takes longer for each element that is open. The rest of such a document is dropped. */
const maxOpenElements = 500
const chunkLength = 4 * 1024

const skippedTags = new Set(['script', 'style', 'head', 'title', 'template', 'object', 'svg'])
const paragraphs = new Set([
  'p',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'table',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
])
const lines = new Set(['div', 'tr', 'li', 'section', 'article', 'header', 'footer', 'dt', 'dd'])
/** How mail programs mark the mail that is quoted, and the signature. */
const quoteMarks = [
  'gmail_quote',
  'gmail_attr',
  'moz-cite-prefix',
  'yahoo_quoted',
  'protonmail_quote',
]
const signatureMarks = [
  'gmail_signature',
  'moz-signature',
  'protonmail_signature_block',
  'signature',
]
/** Outlook marks where the quoted mail begins, and not what belongs to it. */
const restMarks = ['divrplyfwdmsg', 'appendonsend']

interface Frame {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly isSkipped: boolean
  /** Number of the last item of a list. */
  items: number
  text: string
  endsWithSpace: boolean
}

/**
 * The text of a mail's HTML as Markdown: links, lists, emphasis, headings, quotes and code. Images
 * of other servers are left out, because loading them would tell the sender who has read the
 * message.
 */
export async function markdownOfHtml(html: string, keep: KeptParts): Promise<string> {
  const library = await loadHtmlParser()
  const writer = new MarkdownWriter(keep)
  const parser: Parser = new library.Parser({
    onopentag: (tag, attributes) => writer.open(tag, attributes),
    ontext: (text) => writer.add(text),
    onclosetag: () => writer.close(),
  })
  const yielder = new EventLoopYielder()
  const source = html.slice(0, maxHtmlLength)
  for (let start = 0; start < source.length; start += chunkLength) {
    if (yielder.isDue) await yielder.yield()
    parser.write(source.slice(start, start + chunkLength))
    if (writer.openElements > maxOpenElements) break
  }
  if (writer.openElements <= maxOpenElements) parser.end()
  return writer.text
}

class MarkdownWriter {
  readonly #frames: Frame[] = [frameOf('', {}, false)]
  /** Open elements that have no frame. */
  #deeper = 0
  #length = 0
  /** Whether the rest is a quoted mail. */
  #isOver = false

  constructor(private readonly keep: KeptParts) {}

  get openElements(): number {
    return this.#frames.length + this.#deeper
  }

  get text(): string {
    this.#deeper = 0
    while (this.#frames.length > 1) this.close()
    // Not an expression: one for blanks before a line break is quadratic.
    const lines = this.#top.text.split('\n').map((line) => line.trimEnd())
    return lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  }

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#frames.length > maxDepth) {
      this.#deeper += 1
      return
    }
    const top = this.#top
    if (tag === 'li') top.items += 1
    const isSkipped = top.isSkipped || this.#skips(tag, attributes)
    this.#frames.push(frameOf(tag, attributes, isSkipped))
  }

  add(text: string): void {
    const top = this.#top
    if (top.isSkipped || this.#isOver || this.#length > maxTextLength) return
    this.#length += text.length
    const shown = this.#frames.some(({ tag }) => tag === 'pre')
      ? text
      : text.replaceAll(/[\s\u200B\u200C\uFEFF]+/g, ' ')
    top.text += top.endsWithSpace ? shown.replace(/^ /, '') : shown
    if (shown !== '') top.endsWithSpace = /\s$/.test(shown)
  }

  close(): void {
    if (this.#deeper > 0) {
      this.#deeper -= 1
      return
    }
    if (this.#frames.length === 1) return
    const frame = this.#frames.pop()
    const top = this.#top
    if (frame === undefined || frame.isSkipped) return
    // Blocks cost as much as text, because each may copy the text before it.
    if ((this.#length += 1) > maxTextLength) return
    const markdown = markdownOf(frame, top)
    top.endsWithSpace = /\s$/.test(markdown) || !isInline(frame.tag)
    if (frame.tag === 'br') top.text += '\n'
    else if (paragraphs.has(frame.tag)) top.text = joined(top.text, markdown, '\n\n')
    else if (lines.has(frame.tag)) top.text = joined(top.text, markdown, '\n')
    else if (frame.tag === 'td' || frame.tag === 'th') top.text += `${markdown.trim()} `
    else top.text += markdown
  }

  get #top(): Frame {
    // The first frame is never removed
    return this.#frames.at(-1) as Frame
  }

  #skips(tag: string, attributes: Readonly<Record<string, string>>): boolean {
    if (skippedTags.has(tag)) return true
    const marks = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`
      .slice(0, 500)
      .toLowerCase()
      .split(/\s+/)
    const isMarked = (names: readonly string[]) => names.some((name) => marks.includes(name))
    if (!this.keep.quotes) {
      if (isMarked(restMarks)) this.#isOver = true
      if (isMarked(quoteMarks) || (tag === 'blockquote' && attributes['type'] === 'cite'))
        return true
    }
    return !this.keep.footers && isMarked(signatureMarks)
  }
}

function isInline(tag: string): boolean {
  return !['br', 'td', 'th'].includes(tag) && !paragraphs.has(tag) && !lines.has(tag)
}

function frameOf(tag: string, attributes: Frame['attributes'], isSkipped: boolean): Frame {
  return { tag, attributes, isSkipped, items: 0, text: '', endsWithSpace: false }
}

/** Puts a block on lines of its own. */
function joined(before: string, block: string, separator: string): string {
  const content = block.trim()
  if (content === '') return before
  const start = before.trimEnd()
  // A paragraph also ends before a line.
  const gap = before.endsWith('\n\n') ? '\n\n' : separator
  return `${start}${start === '' ? '' : gap}${content}${separator}`
}

function markdownOf({ tag, text, attributes }: Frame, parent: Frame): string {
  switch (tag) {
    case 'b':
    case 'strong':
      return emphasized(text, '**')
    case 'i':
    case 'em':
      return emphasized(text, '*')
    case 'code':
      return parent.tag === 'pre' ? text : emphasized(text, '`')
    case 'a':
      return text.trim() === '' ? text : markdownLink((attributes['href'] ?? '').trim(), text)
    case 'img':
      return attributes['alt'] ?? ''
    case 'hr':
      return '---'
    case 'li':
      return `${parent.tag === 'ol' ? `${parent.items}.` : '*'} ${indented(text.trim())}`
    case 'pre':
      return text.trim() === '' ? '' : quoteBlock('', text, limits.maxMessageLength)
    case 'blockquote':
      return text
        .trim()
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    default:
      return /^h[1-6]$/.test(tag) && text.trim() !== ''
        ? `${'#'.repeat(Number(tag.charAt(1)))} ${text.trim().replaceAll('\n', ' ')}`
        : text
  }
}

/** Markers next to white space, or around several lines, have no effect. */
function emphasized(text: string, marker: string): string {
  const content = text.trim()
  if (content === '' || content.includes('\n') || content.includes(marker)) return text
  const [before, after] = [text.startsWith(' ') ? ' ' : '', text.endsWith(' ') ? ' ' : '']
  return `${before}${marker}${content}${marker}${after}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
