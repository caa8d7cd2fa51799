import { isQuoted } from './mail-quotes.js'

/** Four are the indentation of code in Markdown. */
const maxIndentation = 3
const tabWidth = 4

/**
 * A plain text as Markdown that looks like it: indented lines are no code, and a line after a quote
 * is not part of it.
 */
export function markdownOfText(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  let isInQuote = false
  for (const line of text.split('\n')) {
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0]
    if (fence !== undefined || mark !== undefined) {
      lines.push(line)
      if (fence === undefined) fence = mark
      else if (line.trimEnd() === fence) fence = undefined
      isInQuote = false
      continue
    }
    if (isInQuote && !isQuoted(line) && line.trim() !== '') lines.push('')
    isInQuote = isQuoted(line)
    lines.push(withoutCode(line))
  }
  return lines.join('\n')
}

function withoutCode(line: string): string {
  const quote = /^(?: {0,3}> ?)+/.exec(line)?.[0] ?? ''
  const content = line.slice(quote.length)
  const text = content.trimStart()
  const indentation = content.slice(0, content.length - text.length)
  const width = indentation.replaceAll('\t', ' '.repeat(tabWidth)).length
  return quote + (width > maxIndentation ? ' '.repeat(maxIndentation) : indentation) + text
}
