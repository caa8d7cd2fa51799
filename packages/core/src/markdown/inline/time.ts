import { escapeAttribute, escapeText } from '../html.js'
import type { InlineScope } from './inline-scope.js'
import { readTime } from './time-reader.js'
import { tokenMark, TokenTextBuilder, type TokenText } from './token-text.js'

const opening = '<time:'

/** `<time:TEXT>`: a point in time that each client shows in its reader's time zone. */
export function replaceTimes(source: TokenText, { context, budget }: InlineScope): TokenText {
  const { text } = source
  const builder = new TokenTextBuilder(source)
  let start = text.indexOf(opening)
  while (start !== -1) {
    const textStart = start + opening.length
    const end = text.indexOf('>', textStart)
    if (end === -1) break
    budget.spend(end - start)
    const written = text.slice(textStart, end)
    if (written !== '' && !written.includes(tokenMark)) {
      builder.replace(start, end + 1, { html: timeHtml(written, context.now) })
    }
    start = text.indexOf(opening, end + 1)
  }
  return builder.finish()
}

function timeHtml(written: string, now: Date): string {
  const instant = readTime(written, now)
  if (instant === undefined) {
    return `<span class="timestamp-error">Invalid time format: ${escapeText(written)}</span>`
  }
  return `<time datetime="${escapeAttribute(formatInstant(instant))}">${escapeText(written)}</time>`
}

/** ISO 8601 in UTC; a fraction of a second has six digits and is omitted if it is zero. */
function formatInstant(instant: Date): string {
  const [seconds = '', fraction = ''] = instant.toISOString().slice(0, -1).split('.')
  return fraction === '000' ? `${seconds}Z` : `${seconds}.${fraction}000Z`
}
