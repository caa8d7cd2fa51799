import { limits } from '../../../domain/limits.js'
import { explicitLink, isWebAddress } from '../../../domain/messages/markdown-link.js'
import { quoteBlock } from '../../../domain/messages/quote-block.js'
import { isRecord } from '../../../kernel/objects.js'
import { cellText, literalLines } from './literal-markdown.js'
import { joined, recordsIn, textIn, type Fields } from './slack-fields.js'
import { linkLabel, timeOf } from './slack-links.js'
import { joinedInline, plainInline } from './slack-text.js'

const listIndent = '  '
/** Slack's lists have fewer levels. */
const maxListDepth = 8
/** In the order in which they are opened. */
const styleMarks = { strike: '~~', bold: '**', italic: '*' }
const skinTones = /^1f3f[b-f]$/i

/** Converts a block of rich text, or a cell of a table. */
export function markdownOfRichText(block: Fields): string {
  const parts: string[] = []
  let lists: string[] = []
  let depth = -1
  for (const element of recordsIn(block['elements'])) {
    const isList = element['type'] === 'rich_text_list'
    if (isList) {
      // A list that is nested more deeply than one level below the list before it would be text.
      depth = Math.min(depthOf(element), depth + 1)
      lists.push(listOf(element, depth))
      continue
    }
    parts.push(lists.join('\n'), markdownOfSection(element).replace(/^\n|\n$/g, ''))
    lists = []
    depth = -1
  }
  return joined([...parts, lists.join('\n')])
}

/** The same as a cell of a table: in one line, without lists, quotes and blocks of code. */
export function cellOfRichText(block: Fields): string {
  return recordsIn(block['elements']).map(cellOf).join(' ')
}

function cellOf(element: Fields): string {
  if (element['type'] === 'rich_text_list') {
    return recordsIn(element['elements']).map(cellOf).join(', ')
  }
  const pieces = piecesOf(element).map((piece) => (piece.startsWith('`') ? piece : cellText(piece)))
  return joinedInline(pieces).replaceAll('\n', ' ')
}

function markdownOfSection(element: Fields): string {
  switch (element['type']) {
    case 'rich_text_preformatted': {
      const code = recordsIn(element['elements']).map(codeOf).join('')
      return code === '' ? '' : quoteBlock('', code, limits.maxMessageLength)
    }
    case 'rich_text_quote':
      return inlineOf(element)
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    default:
      return inlineOf(element)
  }
}

function depthOf(list: Fields): number {
  const indent = Math.trunc(Number(list['indent'] ?? 0))
  return indent > 0 ? Math.min(indent, maxListDepth) : 0
}

function listOf(list: Fields, depth: number): string {
  const offset = Math.trunc(Number(list['offset'] ?? 0))
  const first = offset > 0 && offset < 1_000_000 ? offset + 1 : 1
  const isOrdered = list['style'] === 'ordered'
  const items = recordsIn(list['elements']).map((item, index) => {
    const text = markdownOfSection(item).replaceAll(/\n+/g, '\n').trim()
    const mark = isOrdered ? `${first + index}.` : '*'
    const indent = listIndent.repeat(depth)
    return `${indent}${mark} ${text.replaceAll('\n', `\n${indent}${listIndent}`)}`
  })
  return items.join('\n')
}

function inlineOf(section: Fields): string {
  return literalLines(joinedInline(piecesOf(section)))
}

function piecesOf(section: Fields): string[] {
  return ('elements' in section ? recordsIn(section['elements']) : [section]).flatMap(styled)
}

/** The lines of a part between the marks of its style. */
function styled(part: Fields): string[] {
  const style = isRecord(part['style']) ? part['style'] : {}
  const marks = Object.entries(styleMarks).filter(([name]) => style[name] === true)
  const [opening, closing] = [marks, marks.toReversed()].map((all) =>
    all.map(([, mark]) => mark).join(''),
  )
  const isCode = part['type'] === 'text' && style['code'] === true
  const text = isCode ? textIn(part['text']) : inlineText(part, marks.length > 0)
  const pieces: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) pieces.push('\n')
    const content = line.trim()
    // Marks beside white space have no effect.
    if (content === '') pieces.push(line)
    else if (isCode) pieces.push(codeSpan(line))
    else {
      const start = line.indexOf(content)
      const end = start + content.length
      pieces.push(line.slice(0, start), `${opening}${content}${closing}`, line.slice(end))
    }
  }
  return pieces.filter((piece) => piece !== '')
}

/** Code with backticks is between longer runs of them. */
function codeSpan(code: string): string {
  const runs = (code.match(/`+/g) ?? []).map((run) => run.length)
  const marks = '`'.repeat(Math.max(0, ...runs) + 1)
  const space = /^`|`$/.test(code) ? ' ' : ''
  return marks + space + code + space + marks
}

function codeOf(part: Fields): string {
  return textIn(part['text']) || textIn(part['url']) || textIn(part['fallback'])
}

function inlineText(part: Fields, isStyled: boolean): string {
  const text = textIn(part['text'])
  switch (part['type']) {
    case 'link': {
      const url = textIn(part['url'])
      if (!isWebAddress(url)) return plainInline(text || url, isStyled)
      return text === '' && !isStyled ? url : explicitLink(url, linkLabel(text) || url)
    }
    case 'emoji':
      return emojiOf(part)
    case 'broadcast':
      return `@${plainInline(textIn(part['range']), isStyled)}`
    case 'user':
    case 'usergroup':
    case 'team':
      return namedOf('@', part, isStyled)
    case 'channel':
      return namedOf('#', part, isStyled)
    case 'date':
      return plainInline(textIn(part['fallback']), isStyled) || timeOf(Number(part['timestamp']))
    default:
      return plainInline(text || nameOf(part) || textIn(part['value']), isStyled)
  }
}

/** Users, groups and channels: the ids are those of another service. */
function namedOf(mark: string, part: Fields, isStyled: boolean): string {
  const ids = ['user_id', 'usergroup_id', 'team_id', 'channel_id'].map((key) => textIn(part[key]))
  const name = nameOf(part) || textIn(part['text']) || ids.join('')
  return mark + plainInline(name.replace(/^[@#]/, ''), isStyled)
}

function nameOf(part: Fields): string {
  return textIn(part['fallback']) || textIn(part['name'])
}

/** The character, because names of emoji differ between services; without its skin tone. */
function emojiOf(part: Fields): string {
  const points = textIn(part['unicode'])
    .split('-')
    .filter((code) => !skinTones.test(code))
    .map((code) => (/^[\da-f]{2,6}$/i.test(code) ? parseInt(code, 16) : Number.NaN))
  const isKnown = points.length > 0 && points.every((point) => point <= 0x10_ffff)
  return isKnown ? String.fromCodePoint(...points) : `:${plainInline(textIn(part['name']))}:`
}
