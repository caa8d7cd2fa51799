import { limits } from '../../../domain/limits.js'
import { markdownLink } from '../../../domain/messages/markdown-link.js'
import { quoteBlock } from '../../../domain/messages/quote-block.js'

/** An element of HTML, with the Markdown of its content. */
export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly isQuote: boolean
  /** Number of the last item of a list. */
  readonly items: number
  readonly text: string
}

export const paragraphs = new Set('p blockquote pre ul ol table hr h1 h2 h3 h4 h5 h6'.split(' '))
export const lines = new Set('div tr li section article header footer dt dd'.split(' '))

export function isInline({ tag, isQuote }: Element): boolean {
  return !isQuote && !['br', 'td', 'th'].includes(tag) && !paragraphs.has(tag) && !lines.has(tag)
}

/** Puts a block on lines of its own. */
export function joined(before: string, block: string, separator: string): string {
  const content = block.trim()
  if (content === '') return before
  const start = before.trimEnd()
  // A paragraph also ends before a line.
  const gap = before.endsWith('\n\n') ? '\n\n' : separator
  return `${start}${start === '' ? '' : gap}${content}${separator}`
}

export function markdownOf(element: Element, parent: Element): string {
  const { tag, text, attributes } = element
  if (element.isQuote) return quoted(text)
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
      return text.trim() === '' ? text : linkTo(attributes['href'] ?? '', text)
    case 'img':
      return attributes['alt'] ?? ''
    case 'hr':
      return '---'
    case 'li':
      return `${parent.tag === 'ol' ? `${parent.items}.` : '*'} ${indented(text.trim())}`
    case 'pre':
      return text.trim() === '' ? '' : quoteBlock('', text, limits.maxMessageLength)
    default:
      return /^h[1-6]$/.test(tag) && text.trim() !== ''
        ? `${'#'.repeat(Number(tag.charAt(1)))} ${text.trim().replaceAll('\n', ' ')}`
        : text
  }
}

function linkTo(target: string, text: string): string {
  return markdownLink(target.trim(), text.replaceAll(/\s+/g, ' '))
}

/** The text of an element in a link: Markdown shows the marks of emphasis and blocks there. */
export function labelOf({ tag, text, attributes }: Element): string {
  return tag === 'img' ? (attributes['alt'] ?? '') : text
}

function quoted(text: string): string {
  const lines = text.trim().split('\n')
  return text.trim() === '' ? '' : lines.map((line) => `> ${line}`).join('\n')
}

/** Markers next to white space, or around several lines or an address, have no effect. */
function emphasized(text: string, marker: string): string {
  const content = text.trim()
  const isPlain = content === '' || content.includes('\n') || content.includes(marker)
  if (isPlain || /^https?:\/\/\S+$/.test(content)) return text
  const [before, after] = [text.startsWith(' ') ? ' ' : '', text.endsWith(' ') ? ' ' : '']
  return `${before}${marker}${content}${marker}${after}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
