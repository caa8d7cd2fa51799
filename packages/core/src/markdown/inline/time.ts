import { escapeAttribute, escapeText } from '../html.js'
import { readEnglishTime } from './english-time.js'
import type { InlineScope } from './inline-scope.js'
import { readOffset, type TimeParts, toInstant } from './time-parts.js'
import { tokenMark, type TokenText, TokenTextBuilder } from './token-text.js'

const maxLength = 100

const iso =
  /^([0-9]{4})-([0-9]{1,2})(?:-([0-9]{1,2}))?(?:[Tt ]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?)? ?(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)?$/
const compact = /^([0-9]{4})([0-9]{2})([0-9]{2})(?:T?([0-9]{2})([0-9]{2})([0-9]{2})?)?$/
const unixSeconds = /^[+-]?[0-9]{1,15}(?:\.[0-9]{1,9})?$/

/**
 * Parses a written time: ISO 8601 with `T` or a space, an English date in most orders, or Unix
 * seconds. Without an offset it is UTC; missing parts are the date and midnight of `now`.
 */
function readTime(written: string, now: Date): Date | undefined {
  const text = written.trim()
  if (text === '' || text.length > maxLength) return undefined
  const isoMatch = iso.exec(text)
  if (isoMatch !== null) return readIso(isoMatch, now)
  const compactMatch = compact.exec(text)
  if (compactMatch !== null) {
    const instant = readCompact(compactMatch, now)
    if (instant !== undefined) return instant
  }
  if (unixSeconds.test(text)) return readUnixSeconds(Number(text))
  const parts = readEnglishTime(text)
  return parts && toInstant(parts, now)
}

function readIso(match: RegExpExecArray, now: Date): Date | undefined {
  const [, year, month, day, hour, minute, second, fraction, offset] = match
  const parts: TimeParts = { year: Number(year), month: Number(month) }
  if (day !== undefined) parts.day = Number(day)
  if (hour !== undefined) parts.hour = Number(hour)
  if (minute !== undefined) parts.minute = Number(minute)
  if (second !== undefined) parts.second = Number(second)
  if (fraction !== undefined) parts.milliseconds = Math.trunc(Number(`0.${fraction}`) * 1000)
  if (offset !== undefined) parts.offsetMinutes = readOffset(offset)
  return toInstant(parts, now)
}

function readCompact(match: RegExpExecArray, now: Date): Date | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match
  const parts: TimeParts = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  }
  return toInstant(parts, now)
}

function readUnixSeconds(seconds: number): Date | undefined {
  const instant = new Date(seconds * 1000)
  if (Number.isNaN(instant.getTime())) return undefined
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999 ? instant : undefined
}

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
