import type { Session } from '../session/session.js'
import { localTime } from '../view/times.js'
import { allowedElements } from './allowed-elements.js'
import { linkSchemes } from './link-schemes.js'
import { parseHtml, styleAttribute } from './parse-html.js'
import { parsedUrl } from './parsed-url.js'

const htmlNamespace = 'http://www.w3.org/1999/xhtml'

/** Those of formulas, and of the alignment of cells. */
const styleProperties = new Set(
  (
    'height width min-width vertical-align margin-left margin-right margin-top padding-left top left ' +
    'bottom position color background-color border-color border-style border-width ' +
    'border-bottom-width border-right-width border-right-style border-top-width margin text-align ' +
    'text-shadow'
  ).split(' '),
)

/** Larger pictures are shown smaller. */
const maxWidth = 420
const maxHeight = 300

/**
 * The part of the HTML of a message that a reader sees. The server makes the HTML from Markdown;
 * here it is checked again. Elements that are not allowed are left out, with their text.
 */
export function allowedHtml(text: string, session: Session): DocumentFragment {
  const fragment = parseHtml(text)
  for (const element of fragment.querySelectorAll('*')) {
    if (!isAllowed(element)) element.remove()
    else if (fragment.contains(element)) prepare(element, session)
  }
  return fragment
}

/** HTML within SVG or MathML, or one of these within the other, is not: links would be clickable. */
function isAllowed({ namespaceURI, localName, parentElement }: Element): boolean {
  const parentNamespace = parentElement?.namespaceURI ?? htmlNamespace
  if (parentNamespace !== htmlNamespace && parentNamespace !== namespaceURI) return false
  return localName !== '*' && allowedElements[namespaceURI ?? '']?.has(localName) === true
}

function prepare(element: Element, session: Session): void {
  const style = element.getAttribute(styleAttribute)
  const allowed = allowedElements[element.namespaceURI ?? '']
  for (const name of element.getAttributeNames()) {
    const isKnown = [element.localName, '*'].some((key) =>
      allowed?.get(key)?.has(name.toLowerCase()),
    )
    if (!isKnown) element.removeAttribute(name)
  }
  if (element.getAttribute('role') !== 'img') element.removeAttribute('role')
  if (style !== null) applyStyle(element, style)
  if (element instanceof HTMLAnchorElement) prepareLink(element, session)
  if (element instanceof HTMLImageElement) prepareImage(element, session)
  if (element instanceof HTMLMediaElement) {
    prepareAddress(element, session)
    element.controls = true
    element.preload = 'metadata'
    const link = element.closest('a')
    if (link !== null) {
      // A click on a player within a link would follow the link.
      link.before(element)
      link.textContent = link.title || nameIn(link)
    }
  }
  if (element.localName === 'source') element.remove()
  if (element.localName === 'time') showLocalTime(element)
  if (element.classList.contains('emoji')) showEmoji(element)
  if (element.classList.contains('user-mention')) markOwnMention(element, session)
  if (element.localName === 'pre' || element.localName === 'table') makeScrollable(element)
}

/** Attributes of style are blocked by strict policies; properties are not. */
function applyStyle(element: Element, text: string): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return
  for (const declaration of text.split(';')) {
    const [name = '', value = ''] = declaration.split(':').map((part) => part.trim())
    if (!styleProperties.has(name) || !/^[\w.%# -]+$/.test(value)) continue
    if (name === 'position' && value !== 'relative') continue
    element.style.setProperty(name, value)
  }
}

function prepareLink(link: HTMLAnchorElement, session: Session): void {
  const href = link.getAttribute('href') ?? ''
  const url = parsedUrl(href, `${session.url}/`)
  if (url === undefined || !linkSchemes.includes(url.protocol.slice(0, -1))) {
    link.removeAttribute('href')
    return
  }
  // A link to a conversation of this chat is followed by the element, not by the page.
  if (href.startsWith('/#') || href.startsWith('#')) {
    link.setAttribute('href', href.replace(/^\//, ''))
    link.removeAttribute('target')
    return
  }
  link.href = url.href
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

/** @returns whether there is an address. */
function prepareAddress(element: HTMLImageElement | HTMLMediaElement, session: Session): boolean {
  const url = parsedUrl(element.getAttribute('src') ?? '', `${session.url}/`)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    element.removeAttribute('src')
    return false
  }
  element.removeAttribute('src')
  session.files.show(element, url)
  return true
}

/** The name of the file that a link leads to. */
function nameIn({ pathname }: HTMLAnchorElement): string {
  return pathname.split('/').at(-1) ?? ''
}

function prepareImage(image: HTMLImageElement, session: Session): void {
  image.loading = 'lazy'
  image.decoding = 'async'
  const link = image.closest('a')
  image.alt ||= image.title || link?.title || (link === null ? '' : nameIn(link))
  if (link?.closest('.message_inline_image:not(.youtube-video)')) link.dataset['action'] = 'picture'
  const [, width, height] = /^(\d+)x(\d+)$/.exec(image.dataset['originalDimensions'] ?? '') ?? []
  // Its place is kept free until it is there, so that nothing moves.
  if (width !== undefined && height !== undefined) {
    const scale = Math.min(1, maxWidth / Number(width), maxHeight / Number(height))
    image.width = Math.max(1, Number(width) * scale)
    image.style.aspectRatio = `${width} / ${height}`
  }
  if (!prepareAddress(image, session)) image.remove()
}

function showLocalTime(element: Element): void {
  const milliseconds = Date.parse(element.getAttribute('datetime') ?? '')
  if (!Number.isNaN(milliseconds)) element.textContent = localTime(milliseconds / 1000)
}

/** The server names the code points in a class, for clients with pictures of their own. */
function showEmoji(element: Element): void {
  const code = /\bemoji-([0-9a-f]+(?:-[0-9a-f]+)*)/.exec(element.className)?.[1]
  if (code === undefined || element.localName !== 'span') return
  element.setAttribute('aria-label', element.getAttribute('title') ?? element.textContent)
  element.textContent = emojiOf(code)
}

/** The characters of an emoji's code, such as `1f44b`. */
export function emojiOf(code: string): string {
  const points = code.split('-').map((part) => Number.parseInt(part, 16))
  return points.every((point) => point > 0 && point <= 0x10ffff)
    ? `${String.fromCodePoint(...points)}${points.length === 1 ? '\ufe0f' : ''}`
    : ''
}

function markOwnMention(element: Element, { state }: Session): void {
  const id = element.getAttribute('data-user-id')
  if (id === String(state.me.user_id) || id === '*') element.classList.add('own-mention')
}

/** Wide ones scroll by themselves, also with the keyboard. */
function makeScrollable(element: Element): void {
  element.setAttribute('tabindex', '0')
}
