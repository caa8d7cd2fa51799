import { isRecord } from '../../../kernel/objects.js'

/** Slack sends at most 50 blocks and 100 attachments; further items are dropped. */
const maxItems = 100
/** Of all texts of a payload, as many as a text of Slack has. */
const maxPayloadLength = 40_000

export type Fields = Readonly<Record<string, unknown>>

/** A payload without the items and texts that are too many to be converted at once. */
export function withinLimits(payload: unknown): unknown {
  let left = maxPayloadLength
  const limited = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = value.slice(0, left)
      left -= text.length
      return text
    }
    if (Array.isArray(value)) return value.slice(0, maxItems).map(limited)
    if (!isRecord(value)) return value
    const entries = Object.entries(value).slice(0, maxItems)
    return Object.fromEntries(entries.map(([key, part]) => [key, limited(part)]))
  }
  return limited(payload)
}

/** The items of a list of objects; texts in it are objects with a text. */
export function recordsIn(value: unknown): Fields[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    if (isRecord(item)) return [item]
    return textIn(item) === '' ? [] : [{ type: 'text', text: item }]
  })
}

/** A text, number or boolean as text; empty for any other value. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Joins the parts that are not empty. Those of several lines have lines of their own. */
export function joined(parts: readonly string[], separator = '\n'): string {
  let text = ''
  for (const part of parts) {
    if (part.trim() === '') continue
    if (text !== '') text += separatorOf(text, part, separator)
    text += part
  }
  return text
}

function separatorOf(before: string, after: string, separator: string): string {
  const lastLine = before.slice(before.lastIndexOf('\n') + 1)
  // Lines after quotes, lists and tables would belong to these.
  if (after.startsWith('|') || /^ *(?:[>|]|[*+-] |\d+\. )/.test(lastLine)) return '\n\n'
  const isLine = !separator.includes('\n') && !after.includes('\n') && lastLine === before
  return isLine || separator.includes('\n') ? separator : '\n'
}
