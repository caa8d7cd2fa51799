import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { elementsOf } from './html.js'

type Element = DefaultTreeAdapterTypes.Element

/** Tags of the dialect and their allowed attributes, separated by spaces. */
const attributesOf: Readonly<Record<string, string>> = {
  a: 'class data-id data-stream-id href style title',
  audio: 'controls data-original-url preload src title',
  blockquote: '',
  br: '',
  code: '',
  del: '',
  div: 'aria-hidden class data-code-language',
  em: '',
  h1: '',
  h2: '',
  h3: '',
  h4: '',
  h5: '',
  h6: '',
  hr: '',
  img:
    'alt class data-animated data-original-content-type data-original-dimensions ' +
    'data-transcoded-image src title',
  li: '',
  ol: 'start',
  p: '',
  pre: '',
  span: 'aria-label class data-user-group-id data-user-id role title',
  strong: '',
  table: '',
  tbody: '',
  td: 'style',
  th: 'style',
  thead: '',
  time: 'datetime',
  tr: '',
  ul: '',
  video: 'preload src',
}

const safeAddress =
  /^(?:https?|ftp|file|bitcoin|geo|im|ircs?|magnet|mailto|matrix|mms|news|nntp|openpgp4fpr|sip|smsto|sms|ssh|tel|urn|webcal|wtai|xmpp):|^\/|^#|^user_uploads\/|^$/
const alignment = /^text-align: (?:left|center|right);$/
const cardImage = /^background-image: url\("[^"'()\\\s<>]*"\)$/
const codeClass = /^[a-z][a-z0-9]{0,2}$/

/**
 * The tags, attributes and schemes in `html` that the dialect does not allow; empty if there are
 * none.
 */
export function findForbidden(html: string): string[] {
  const found: string[] = []
  const fragment = parseFragment(html, {
    onParseError: ({ code }) => {
      // KaTeX and the shell elements nest blocks in ways that browsers accept without errors.
      if (code.includes('duplicate-attribute') || code.includes('unexpected-')) found.push(code)
    },
  })
  for (const element of elementsOf(fragment)) {
    if (isInsideMath(element)) checkMath(element, found)
    else check(element, found)
  }
  return found
}

function check(element: Element, found: string[]): void {
  const allowed = attributesOf[element.tagName]
  if (allowed === undefined) {
    found.push(`<${element.tagName}>`)
    return
  }
  for (const { name, value } of element.attrs) {
    const where = `<${element.tagName} ${name}="${value}">`
    if (!allowed.split(' ').includes(name)) found.push(where)
    if ((name === 'href' || name === 'src') && !safeAddress.test(value)) found.push(where)
    if (name === 'style' && !alignment.test(value) && !cardImage.test(value)) found.push(where)
  }
  const inCode = element.parentNode?.nodeName === 'code'
  const className = element.attrs.find(({ name }) => name === 'class')?.value ?? ''
  if (inCode && (element.tagName !== 'span' || !codeClass.test(className))) {
    found.push(`<${element.tagName} class="${className}"> in code`)
  }
}

/** KaTeX may use any tags and styles, but may not link, load or run anything. */
function checkMath(element: Element, found: string[]): void {
  const mayAct = /^(?:href|src|on.*|xlink:href|action|formaction|id)$/
  if (/^(?:a|img|script|iframe|object|embed|form)$/.test(element.tagName)) {
    found.push(`<${element.tagName}> in math`)
  }
  for (const { name } of element.attrs) {
    if (mayAct.test(name)) found.push(`<${element.tagName} ${name}> in math`)
  }
}

function isInsideMath(element: Element): boolean {
  let node: DefaultTreeAdapterTypes.ParentNode | null = element
  while (node !== null && 'attrs' in node) {
    const className = node.attrs.find(({ name }) => name === 'class')?.value ?? ''
    if (/^katex(?:-display)?$/.test(className)) return true
    node = node.parentNode
  }
  return false
}
