import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'

/** Replaces text that is not shown. */
const hidden = '(…)'

interface Element {
  readonly tag: string
  readonly attributes: string
  readonly children: readonly (Element | string)[]
}

const voidTags = new Set(['br', 'hr', 'img', 'input', 'source'])
const blockTags = new Set([
  'p',
  'div',
  'ul',
  'ol',
  'li',
  'pre',
  'table',
  'tr',
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
])

/**
 * A rendered message as plain text: emoji as characters, quotes after `>`, lists with numbers,
 * spoilers without their hidden text.
 */
export function plainTextOf(html: string): string {
  const text = textOfAll(parse(html))
  return text.replaceAll(/\n{2,}/g, '\n').trim()
}

/** At most `length` characters; `…` replaces the rest. */
export function shortened(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}…`
}

/**
 * Parses the HTML of Parley's own renderer, in which every element is closed and every `<` begins a
 * tag.
 */
function parse(html: string): readonly (Element | string)[] {
  const stack: { tag: string; attributes: string; children: (Element | string)[] }[] = []
  const root: (Element | string)[] = []
  let into = root
  for (const [token] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    const open = /^<([a-zA-Z][a-zA-Z0-9]*)([^>]*?)(\/?)>$/.exec(token)
    if (open !== null) {
      const element = {
        tag: (open[1] ?? '').toLowerCase(),
        attributes: open[2] ?? '',
        children: [],
      }
      into.push(element)
      if (open[3] === '/' || voidTags.has(element.tag)) continue
      stack.push(element)
      into = element.children
    } else if (token.startsWith('</')) {
      stack.pop()
      into = stack.at(-1)?.children ?? root
    } else if (!token.startsWith('<')) {
      into.push(decodeHTML(token))
    }
  }
  return root
}

function textOfAll(children: Element['children']): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

function textOf(element: Element): string {
  const { tag, children } = element
  const classes = (attribute(element, 'class') ?? '').split(' ')
  if (tag === 'br') return '\n'
  if (tag === 'img') return classes.includes('emoji') ? (attribute(element, 'alt') ?? '') : ''
  if (classes.includes('emoji')) return emojiOf(classes) ?? textOfAll(children)
  if (classes.includes('katex')) return sourceOf(element) ?? textOfAll(children)
  if (classes.includes('spoiler-content')) return `\n${hidden}\n`
  if (tag === 'blockquote') return `\n${quoted(textOfAll(children))}\n`
  if (tag === 'ol') return `\n${numbered(element)}\n`
  if (tag === 'li') return `\n${textOfAll(children).trim()}\n`
  return blockTags.has(tag) ? `\n${textOfAll(children)}\n` : textOfAll(children)
}

function quoted(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => `> ${line}`).join('\n')
}

function numbered(list: Element): string {
  let number = Number(attribute(list, 'start') ?? 1)
  const lines: string[] = []
  for (const child of list.children) {
    if (typeof child === 'string' || child.tag !== 'li') continue
    lines.push(`${number}. ${textOfAll(child.children).trim()}`)
    number += 1
  }
  return lines.join('\n')
}

/** The character of a standard emoji, whose code points are part of its class name. */
function emojiOf(classes: readonly string[]): string | undefined {
  for (const name of classes) {
    const code = /^emoji-([0-9a-f]+(?:-[0-9a-f]+)*)$/.exec(name)?.[1]
    if (code === undefined) continue
    const points = code.split('-').map((part) => parseInt(part, 16))
    if (points.every((point) => point <= 0x10ffff)) return String.fromCodePoint(...points)
  }
  return undefined
}

/** The TeX source of a formula. */
function sourceOf(element: Element): string | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (child.tag === 'annotation') return textOfAll(child.children)
    const found = sourceOf(child)
    if (found !== undefined) return found
  }
  return undefined
}

function attribute({ attributes }: Element, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]
  return value === undefined ? undefined : decodeHTMLAttribute(value)
}
