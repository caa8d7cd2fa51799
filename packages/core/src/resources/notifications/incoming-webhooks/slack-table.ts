import { isRecord } from '../../../kernel/objects.js'
import { cellText } from './literal-markdown.js'
import { type Fields, recordsIn, textIn } from './slack-fields.js'
import { cellOfRichText } from './slack-rich-text.js'
import { markdownOfPlainText } from './slack-text.js'

/** Slack's tables have at most 20. */
const maxCells = 20
const separators: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' }

/** Converts a table, whose first row is the header. */
export function markdownOfTable({ rows, column_settings: columns }: Fields): string {
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
