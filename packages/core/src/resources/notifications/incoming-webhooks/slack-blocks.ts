import { markdownLink } from '../../../domain/markdown-link.js'
import { isRecord } from '../../../kernel/objects.js'
import { markdownOfSlack } from './slack-text.js'

/** Slack sends at most 50 blocks and 100 attachments; further items are dropped. */
const maxItems = 100

type Fields = Readonly<Record<string, unknown>>

/** The items of a list of objects; empty for any other value. */
export function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.slice(0, maxItems).filter(isRecord) : []
}

/** A text, or an empty one for any other value. */
export function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Converts a block of Slack's Block Kit; empty for a block of an unknown type. */
export function markdownOfBlock(block: Fields): string {
  switch (block['type']) {
    case 'header':
      return headed(plainText(block['text']))
    case 'section':
      return joined([
        markdownOfText(block['text']),
        ...recordsIn(block['fields']).map(markdownOfText),
        ...(isRecord(block['accessory']) ? [markdownOfElement(block['accessory'])] : []),
      ])
    case 'divider':
      return '---'
    case 'image':
      return imageLink(block)
    case 'context':
      return recordsIn(block['elements']).map(markdownOfElement).join(' ').trim()
    case 'actions':
      return recordsIn(block['elements']).map(markdownOfElement).filter(Boolean).join(' | ')
    case 'rich_text':
      return joined(recordsIn(block['elements']).map(markdownOfRichText))
    default:
      return ''
  }
}

/** Joins the parts that are not empty. */
export function joined(parts: readonly string[], separator = '\n'): string {
  return parts.filter((part) => part.trim() !== '').join(separator)
}

/** A heading of one line. */
export function headed(text: string): string {
  return text === '' ? '' : `## ${text.replaceAll('\n', ' ')}`
}

function markdownOfElement(element: Fields): string {
  switch (element['type']) {
    case 'image':
      return imageLink(element)
    case 'button':
      return element['url'] === undefined
        ? ''
        : markdownLink(stringIn(element['url']), plainText(element['text']))
    default:
      return markdownOfText(element)
  }
}

function imageLink(image: Fields): string {
  const label = plainText(image['title']) || stringIn(image['alt_text']) || 'image'
  return markdownLink(stringIn(image['image_url']), label)
}

/** A text object: mrkdwn, or plain text. */
function markdownOfText(text: unknown): string {
  if (!isRecord(text)) return ''
  return text['type'] === 'plain_text'
    ? stringIn(text['text'])
    : markdownOfSlack(stringIn(text['text']))
}

function plainText(text: unknown): string {
  return isRecord(text) ? stringIn(text['text']) : stringIn(text)
}

function markdownOfRichText(element: Fields): string {
  const inner = recordsIn(element['elements'])
  switch (element['type']) {
    case 'rich_text_list': {
      const isOrdered = element['style'] === 'ordered'
      const items = inner.map(inlineOf)
      return items.map((item, index) => `${isOrdered ? `${index + 1}.` : '*'} ${item}`).join('\n')
    }
    case 'rich_text_preformatted':
      return `\`\`\`\n${inner.map((part) => stringIn(part['text'])).join('')}\n\`\`\``
    case 'rich_text_quote':
      return inlineOf(element)
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    default:
      return inlineOf(element)
  }
}

function inlineOf(section: Fields): string {
  return recordsIn(section['elements']).map(markdownOfInline).join('')
}

function markdownOfInline(part: Fields): string {
  const text = stringIn(part['text'])
  switch (part['type']) {
    case 'link':
      return markdownLink(stringIn(part['url']), text)
    case 'emoji':
      return `:${stringIn(part['name'])}:`
    case 'broadcast':
      return `@${stringIn(part['range'])}`
    case 'text':
      return styled(text, isRecord(part['style']) ? part['style'] : {})
    default:
      return text
  }
}

function styled(text: string, { code, bold, italic, strike }: Fields): string {
  if (text.trim() === '') return text
  if (code === true) return `\`${text}\``
  let markdown = text
  if (italic === true) markdown = `*${markdown}*`
  if (bold === true) markdown = `**${markdown}**`
  if (strike === true) markdown = `~~${markdown}~~`
  return markdown
}
