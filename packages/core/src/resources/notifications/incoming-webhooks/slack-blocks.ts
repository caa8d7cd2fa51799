import { isRecord } from '../../../kernel/objects.js'
import { cellText } from './literal-markdown.js'
import { type Fields, joined, recordsIn, textIn } from './slack-fields.js'
import { headed, imageLink, linkedText, linkTo, markdownOfText } from './slack-objects.js'
import { cellOfRichText, markdownOfRichText } from './slack-rich-text.js'
import { markdownOfPlainText, markdownOfSlack } from './slack-text.js'

/** Slack's tables have at most 20. */
const maxCells = 20
const separators: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' }

/** Converts a table, whose first row is the header. */
function markdownOfTable({ rows, column_settings: columns }: Fields): string {
  const cells = (Array.isArray(rows) ? rows : []).map((row: unknown) =>
    recordsIn(row).slice(0, maxCells).map(cellOf),
  )
  const width = Math.max(0, ...cells.map((row) => row.length))
  if (width === 0) return ''
  const settings = Array.isArray(columns) ? columns : []
  const separator = Array.from({ length: width }, (_, column) => {
    const setting: unknown = settings[column]
    return (isRecord(setting) ? separators[textIn(setting['align'])] : undefined) ?? '---'
  })
  const [header = [], ...body] = cells.map((row) => [
    ...row,
    ...Array.from({ length: width - row.length }, () => ''),
  ])
  return [header, separator, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function cellOf(cell: Fields): string {
  if (cell['type'] === 'rich_text') return cellOfRichText(cell).trim()
  const text = markdownOfPlainText(textIn(cell['text'] ?? cell['value']))
  return cellText(text.replaceAll('\n', ' ')).trim()
}

/** The keys under which blocks and elements of unknown kinds have texts for readers. */
const textKeys = new Set([
  'alt_text',
  'body',
  'caption',
  'content',
  'description',
  'details',
  'fallback',
  'footer',
  'header',
  'heading',
  'hint',
  'label',
  'message',
  'placeholder',
  'subtitle',
  'summary',
  'text',
  'title',
])
/** Shown only when something is chosen, or a second time. */
const hiddenKeys = new Set(['confirm', 'initial_option', 'initial_options'])
/** Converts blocks of Slack's Block Kit, and notes whether any of them shows nothing. */
export class SlackBlocks {
  isIncomplete = false

  /** A list of blocks. */
  all(blocks: unknown): string {
    return this.#each(blocks, '\n\n')
  }

  /** A list of elements in one line. */
  line(elements: unknown): string {
    return this.#each(elements, ' | ')
  }

  /** The texts in an object of an unknown kind; empty if it has none. */
  textsOf(fields: Fields): string {
    const { url, text } = fields
    if (typeof url === 'string' && text !== undefined) return linkTo(url, text)
    const parts = Object.entries(fields).flatMap(([key, value]) => {
      if (hiddenKeys.has(key)) return []
      if (isRecord(value)) return [this.#markdownOf(value)]
      if (Array.isArray(value)) {
        // Texts in a list have the meaning of its key.
        return recordsIn(value.filter((item) => textKeys.has(key) || isRecord(item))).map((item) =>
          this.#markdownOf(item),
        )
      }
      return textKeys.has(key) ? [markdownOfSlack(textIn(value))] : []
    })
    return joined(parts, 'options' in fields || 'option_groups' in fields ? ' | ' : '\n')
  }

  #each(elements: unknown, separator: string): string {
    return joined(
      recordsIn(elements).map((element) => this.#shown(element)),
      separator,
    )
  }

  #shown(element: Fields): string {
    const markdown = this.#markdownOf(element)
    if (markdown.trim() === '') this.isIncomplete = true
    return markdown
  }

  #markdownOf(element: Fields): string {
    const { type, text } = element
    switch (type) {
      case 'header':
        return headed(markdownOfText(text))
      case 'section':
        return joined([
          markdownOfText(text),
          ...recordsIn(element['fields']).map(markdownOfText),
          ...(isRecord(element['accessory']) ? [this.#shown(element['accessory'])] : []),
        ])
      case 'markdown':
        return textIn(text)
      case 'divider':
        return '---'
      case 'image':
        return imageLink(element)
      case 'context':
        return this.#each(element['elements'], ' ')
      case 'actions':
      case 'context_actions':
        return this.line(element['elements'])
      case 'button':
      case 'workflow_button':
        return linkTo(element['url'], text)
      case 'input':
        return joined([
          markdownOfText(element['label']),
          ...(isRecord(element['element']) ? [this.#markdownOf(element['element'])] : []),
          markdownOfText(element['hint']),
        ])
      case 'video':
        return joined([
          linkTo(
            element['title_url'] ?? element['video_url'],
            element['title'] ?? element['alt_text'],
          ),
          markdownOfText(element['description']),
          joined([linkedText(element['author_name']), linkedText(element['provider_name'])], ' | '),
        ])
      case 'file':
        return this.textsOf(element) || joined(['File', textIn(element['external_id'])], ' ')
      case 'rich_text':
        return markdownOfRichText(element)
      case 'table':
        return markdownOfTable(element)
      case 'mrkdwn':
      case 'plain_text':
        return markdownOfText(element)
      default:
        return this.textsOf(element)
    }
  }
}
