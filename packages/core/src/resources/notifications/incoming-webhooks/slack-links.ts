import { explicitLink, isWebAddress, markdownLink } from '../../../domain/messages/markdown-link.js'
import { literalMarkdown } from './literal-markdown.js'
import type { Literal } from './slack-literals.js'
import { decoded } from './slack-references.js'

/** A link of Slack is an address and a label. */
const maxLinkLength = 4000
const beginsLink = /^(?:[@#!]|[a-z][\w+.-]{0,30}:)/i
const blanks = ' \t\n'

interface SlackLink {
  readonly end: number
  readonly target: string
  readonly label: string
}

/** `<https://a.example|label>`, `<@U1|name>`, `<#C1|name>`, `<!here>` as Markdown. */
export function linkAt(source: string, start: number): Literal | undefined {
  const link = readLink(source, start)
  if (link === undefined) return undefined
  const { end, target, label } = link
  const shown = shownText(link)
  const address = addressOf(target)
  if (!isWebAddress(address)) return { start, end, markdown: shown }
  const isAlone = blanks.includes(source.charAt(start - 1)) && blanks.includes(source.charAt(end))
  const markdown = isAlone
    ? markdownLink(address, linkLabel(label))
    : explicitLink(address, linkLabel(label) || address.replace(/^mailto:/i, ''))
  return { start, end, markdown }
}

/** The label of a link: text without formats, in which links are their own labels. */
export function linkLabel(text: string): string {
  let label = ''
  let index = 0
  while (index < text.length) {
    const start = text.indexOf('<', index)
    const link = start === -1 ? undefined : readLink(text, start)
    const end = start === -1 ? text.length : start
    label += text.slice(index, end)
    if (link !== undefined) label += link.label || link.target
    else if (start !== -1) label += '<'
    index = link?.end ?? end + 1
  }
  // No rule that takes precedence over links may find anything in it.
  return decoded(label)
    .replaceAll(/:skin-tone-[2-6]:/g, '')
    .replaceAll('`', '&#96;')
    .replaceAll('$$', '&#36;$')
    .replaceAll(/(@_?|#)\*/g, '$1&#42;')
    .replaceAll('<time:', '&lt;time:')
}

function readLink(source: string, start: number): SlackLink | undefined {
  const inside = source.slice(start + 1, start + maxLinkLength)
  if (!beginsLink.test(inside)) return undefined
  const length = inside.search(/[<>\n]/)
  if (inside[length] !== '>') return undefined
  const text = inside.slice(0, length)
  const bar = text.indexOf('|')
  const [target, label] = bar === -1 ? [text, ''] : [text.slice(0, bar), text.slice(bar + 1)]
  return { end: start + length + 2, target, label }
}

/** The text of a link that has no address of the web. */
function shownText({ target, label }: SlackLink): string {
  const [kind, rest] = [target.charAt(0), target.slice(1)]
  if (kind === '@' || kind === '#') return kind + literalOf((label || rest).replace(/^[@#]/, ''))
  if (kind !== '!') return literalOf(label || target)
  const [name = '', value = ''] = rest.split('^', 2)
  if (name === 'date') return label === '' ? timeOf(Number(value)) : literalOf(label)
  return `@${literalOf((label || value || name).replace(/^@/, ''))}`
}

/** A date can be a link too: `<!date^1392734382^{date}^https://a.example|Feb 18>`. */
function addressOf(target: string): string {
  return decoded(target.startsWith('!date^') ? (target.split('^', 4)[3] ?? '') : target)
}

/** A point in time, which each client shows in its reader's time zone; empty if the value is not a time. */
export function timeOf(seconds: number): string {
  const milliseconds = Math.trunc(seconds) * 1000
  // Of the years that four digits can express.
  if (!(milliseconds > 0 && milliseconds < 253_402_300_800_000)) return ''
  return `<time:${new Date(milliseconds).toISOString().replace('.000', '')}>`
}

function literalOf(text: string): string {
  return literalMarkdown(decoded(text))
}
