import type { Parser } from 'htmlparser2'

import { limits } from '../../../domain/limits.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { attributionMark } from './attribution.js'
import {
  type Element,
  isInline,
  joined,
  labelOf,
  lines,
  markdownOf,
  paragraphs,
} from './element-markdown.js'
import { loadHtmlParser } from './load-packages.js'
import { restMark } from './mail-quotes.js'
import type { KeptParts } from './mail-text.js'

/** How mail programs mark texts that are not of the sender, by classes and ids. */

type Attributes = Readonly<Record<string, string>>

const attributions = new Set(['gmail_attr', 'moz-cite-prefix', 'yahoo-quoted-begin'])
/** Outlook marks where the quoted mail begins, and not what belongs to it. */
const rests = new Set(['divrplyfwdmsg', 'appendonsend'])
const signatureClasses = new Set([
  'gmail_signature',
  'gmail_signature_prefix',
  'moz-signature',
  'protonmail_signature_block',
])
const signatureIds = new Set([
  'signature',
  'applemailsignature',
  'ms-outlook-mobile-signature',
  'ymail_android_signature',
  'ymail_ios_signature',
])
const maxLength = 500

function isAttribution(attributes: Attributes): boolean {
  return wordsOf(attributes['class']).some((name) => attributions.has(name))
}

/** Elements that are not `blockquote`, and contain the quoted mail with its attribution. */
function isQuote(attributes: Attributes): boolean {
  return attributes['name'] === 'quote' || isQuoteWithAnswers(attributes)
}

/** Those in which answers between the lines cannot be recognized. */
function isQuoteWithAnswers(attributes: Attributes): boolean {
  return wordsOf(attributes['class']).some((name) => name.endsWith('yahoo_quoted'))
}

function isRest(attributes: Attributes): boolean {
  return wordsOf(attributes['id']).some((name) => rests.has(name))
}

function isSignature(attributes: Attributes): boolean {
  return (
    wordsOf(attributes['class']).some((name) => signatureClasses.has(name)) ||
    wordsOf(attributes['id']).some((name) => signatureIds.has(name))
  )
}

function wordsOf(value = ''): readonly string[] {
  return value.slice(0, maxLength).toLowerCase().split(/\s+/)
}

/** Limits for the HTML that is read, and for the own text and the quotes, in characters. */
const maxHtmlLength = 1024 * 1024
const maxTextLength = 2 * limits.maxMessageLength
/** Elements that are nested more deeply are text of the ones around them. */
const maxDepth = 60
/** The parser takes longer for each element that is open. The rest of such a document is dropped. */
const maxOpenElements = 500
const chunkLength = 4 * 1024

const skippedTags = new Set(['script', 'style', 'head', 'title', 'template', 'object', 'svg'])

interface Frame extends Element {
  readonly isSkipped: boolean
  readonly isAttribution: boolean
  /** Whether it, or an element around it, is one of these. */
  readonly isInQuote: boolean
  readonly isInCode: boolean
  readonly isInLink: boolean
  text: string
  items: number
  endsWithSpace: boolean
}

/**
 * The text of a mail's HTML as Markdown: links, lists, emphasis, headings, quotes and code. Images
 * of other servers are left out, because loading them would tell the sender who has read the
 * message.
 */
export async function markdownOfHtml(
  html: string,
  keep: Pick<KeptParts, 'footers'>,
): Promise<string> {
  const library = await loadHtmlParser()
  const writer = new MarkdownWriter(keep.footers)
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
  readonly #frames: Frame[] = [frameOf('', {}, undefined)]
  /** Open elements that have no frame. */
  #deeper = 0
  /** Two limits, because an answer may be below a long quote. */
  readonly #lengths = { own: 0, quoted: 0 }

  constructor(private readonly keepsFooters: boolean) {}

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

  open(tag: string, attributes: Element['attributes']): void {
    if (this.#frames.length > maxDepth) {
      this.#deeper += 1
      return
    }
    const top = this.#top
    if (tag === 'li') top.items += 1
    if (isRest(attributes) && !top.isSkipped) top.text = joined(top.text, restMark, '\n')
    const frame = frameOf(tag, attributes, top)
    const isLeftOut =
      skippedTags.has(tag) || (!this.keepsFooters && !top.isInQuote && isSignature(attributes))
    this.#frames.push(isLeftOut ? { ...frame, isSkipped: true } : frame)
  }

  add(text: string): void {
    const top = this.#top
    if (top.isSkipped || this.#isFull(top, text.length)) return
    const shown = top.isInCode ? text : text.replaceAll(/[\s\u200B\u200C\uFEFF]+/g, ' ')
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
    if (this.#isFull(top, 1) && frame.text === '') return
    const markdown = frame.isAttribution ? attributionOf(frame.text) : this.#markdownOf(frame)
    top.endsWithSpace = /\s$/.test(markdown) || !isInline(frame)
    if (frame.tag === 'br') top.text += '\n'
    else if (top.tag === 'li' && isList(frame)) {
      top.text = `${joined(top.text, markdown, '\n')}\n`
    } else if (frame.isQuote || paragraphs.has(frame.tag)) {
      top.text = joined(top.text, markdown, '\n\n')
    } else if (lines.has(frame.tag)) {
      // An item of several paragraphs ends with a blank line, or the next one would belong to it.
      top.text = joined(top.text, markdown, isLoose(frame) ? '\n\n' : '\n')
    } else if (frame.tag === 'td' || frame.tag === 'th') top.text += `${markdown.trim()} `
    else top.text += markdown
  }

  get #top(): Frame {
    // The first frame is never removed
    return this.#frames.at(-1) as Frame
  }

  #markdownOf(frame: Frame): string {
    return this.#top.isInLink ? labelOf(frame) : markdownOf(frame, this.#top)
  }

  #isFull({ isInQuote }: Frame, length: number): boolean {
    const kind = isInQuote ? 'quoted' : 'own'
    if (this.#lengths[kind] > maxTextLength) return true
    this.#lengths[kind] += length
    return false
  }
}

function frameOf(tag: string, attributes: Element['attributes'], parent: Frame | undefined): Frame {
  const isQuoted = tag === 'blockquote' || isQuote(attributes)
  return {
    tag,
    attributes,
    isQuote: isQuoted,
    isSkipped: parent?.isSkipped === true,
    isAttribution: isAttribution(attributes),
    isInQuote: isQuoted || parent?.isInQuote === true,
    isInCode: tag === 'pre' || parent?.isInCode === true,
    isInLink: tag === 'a' || parent?.isInLink === true,
    items: tag === 'ol' ? firstNumber(attributes) - 1 : 0,
    text: isQuoteWithAnswers(attributes) ? restMark : '',
    endsWithSpace: false,
  }
}

function firstNumber({ start = '' }: Element['attributes']): number {
  return /^\d{1,9}$/.test(start) ? Number(start) : 1
}

function isList({ tag }: Element): boolean {
  return tag === 'ul' || tag === 'ol'
}

function isLoose({ tag, text }: Element): boolean {
  return tag === 'li' && text.trim().includes('\n\n')
}

/** On one line, which is known to be an attribution whatever its language is. */
function attributionOf(text: string): string {
  const line = text.replaceAll('\n', ' ').trim()
  return /[:：]$/.test(line) ? `\n${line}${attributionMark}\n` : text
}
