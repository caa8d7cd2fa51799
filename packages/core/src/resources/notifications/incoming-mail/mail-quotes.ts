import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { attributionLength } from './attribution.js'
import { signatureStart } from './mail-signature.js'
import {
  answersBelow,
  attributionVerbs,
  dividerTitles,
  fromLabels,
  subjectLabels,
} from './quote-words.js'

const address = /<[^\s<>@]{1,100}@[^\s<>]{1,200}>/
/** Seconds and a zone, which no other program writes. */
const exactTime = /\d[:.]\d\d[:.]\d\d(?: [AP]M)? \[?[A-Z]{3,5}\b/
/** People copy times of this form from elsewhere. */
const isoDate = /\d{4}-\d\d-\d\d/
const maxLineLength = 400
/** Such as "Sent from Yahoo Mail for iPhone". */
const lineOfApp = /^.{0,60}yahoo\s?(?:mail|メール).{0,60}$/iu
/** Between that line and the attribution. */
const maxBlankLines = 4
const maxAttributionLines = 2
const minAttributionLength = 25

/**
 * Whether the mail that is answered begins in a line as Yahoo Mail quotes it: an attribution with
 * an address, and lines without any mark below it.
 */
function startsUnmarkedQuote(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (line.trim().length < minAttributionLength || line.length > maxLineLength) return false
  const isOfApp = followsLineOfApp(lines, index)
  // On Android, the quoted mail follows on the same line.
  const [inLine = ''] = isOfApp ? (/^.{0,300}?[:：](?=\s{2})/.exec(line) ?? []) : []
  return [
    [inLine.trim()],
    ...Array.from({ length: maxAttributionLines }, (_, more) =>
      lines.slice(index, index + more + 1),
    ),
  ].some((attribution) => {
    const text = attribution.join(' ')
    return (
      address.test(text) &&
      (isOfApp || (exactTime.test(text) && !isoDate.test(text))) &&
      attributionVerbs.some((verb) => text.toLowerCase().includes(verb)) &&
      attributionLength(attribution, true) === attribution.length
    )
  })
}

/** Whether an app of Yahoo says above a line that it has sent the mail. */
function followsLineOfApp(lines: readonly string[], index: number): boolean {
  const above = lines.slice(Math.max(0, index - maxBlankLines - 1), index)
  const last = above.findLastIndex((line) => line.trim() !== '')
  return last < above.length - 1 && lineOfApp.test(above[last] ?? '')
}

/** A line that the HTML of a mail has where the mail that is answered begins. No text has it. */
export const restMark = '\u{F0002}'

const maxHeaderLines = 12
const minHeaderLines = 4
const maxLabelLength = 25
const maxQuoteStart = 6
/** A line between two mails, also with a title. */
const rule = /^[\s*]{0,9}(?:[_─—-]{5,200}|-{3,50}[^-].{0,50}[^-]-{3,50})[\s*]{0,9}$/

/**
 * The lines of a reply without those that are quoted: the answer may be above, below or between
 * quotes. A quote that nothing introduces is only removed from the end.
 */
export async function withoutQuotes(
  all: readonly string[],
  keepsFooters: boolean,
): Promise<string[]> {
  const yielder = new EventLoopYielder()
  const lines = all.slice(0, endOfOwnText(all))
  const cutSignature = (own: string[]) => {
    if (!keepsFooters) own.length = signatureStart(own)
  }
  cutSignature(lines)
  const end = endOfText(lines)
  const kept: string[] = []
  let index = 0
  while (index < end) {
    if (yielder.isDue) await yielder.yield()
    const next = endOfQuote(lines, index)
    const start = next === undefined ? undefined : startOfQuote(kept, lines.slice(index, next))
    const isLast = next === end && !hasBareMark(lines[index]) && isUnintroduced(kept)
    const hasAnswers = lines[index]?.includes(restMark) === true && announcesAnswers(kept)
    if ((start !== undefined || isLast) && !hasAnswers) {
      kept.length = start ?? kept.length
      cutSignature(kept)
      kept.length = endOfText(kept)
      kept.push('')
    } else {
      for (const line of lines.slice(index, next ?? index + 1)) kept.push(line)
    }
    index = next ?? index + 1
    if (start !== undefined) while (lines[index]?.trim() === '') index += 1
  }
  kept.length = attributionStart(kept, true) ?? kept.length
  cutSignature(kept)
  return kept
}

export function isQuoted(line: string): boolean {
  // Mailboxes put the mark before lines of a text that begin with this word.
  return /^ {0,3}>/.test(line) && !line.startsWith('>From ')
}

function endOfText(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() !== '') + 1
}

/** The end of the quote that begins in a line; undefined if none does. */
function endOfQuote(lines: readonly string[], start: number): number | undefined {
  if (!isQuoted(lines[start] ?? '')) return undefined
  let end = start + 1
  for (let index = end; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (isQuoted(line)) end = index + 1
    else if (line.trim() !== '') break
  }
  return end
}

/** Without a blank after it, it may also be the mark of a comparison, as in ">50%". */
function hasBareMark(line = ''): boolean {
  return /^ {0,3}>[^\s>]/.test(line)
}

/** Whether the text before a quote does not refer to it. */
function isUnintroduced(kept: readonly string[]): boolean {
  const end = endOfText(kept)
  return end === 0 || (end < kept.length && !/[:：]\s{0,9}$/.test(kept[end - 1] ?? ''))
}

/** Where a quote begins, with its attribution above or in it; undefined if it has none. */
function startOfQuote(kept: readonly string[], quote: readonly string[]): number | undefined {
  const above = attributionStart(kept, false)
  if (above !== undefined) return above
  const first = quote
    .slice(0, maxQuoteStart)
    .map((line) => line.replace(/^ {0,3}> ?/, '').replaceAll(restMark, ''))
  const start = first.findIndex((line) => line.trim() !== '')
  const isInQuote = first.some(
    (line, index) =>
      line.trim() !== '' && attributionStart(first.slice(0, index + 1), false) === start,
  )
  return isInQuote ? endOfText(kept) : undefined
}

/** Where the attribution or header at the end of a text begins; undefined without one. */
function attributionStart(lines: readonly string[], needsDate: boolean): number | undefined {
  const end = endOfText(lines)
  let start = end
  while (start > end - maxHeaderLines && lines[start - 1]?.trim()) start -= 1
  const length = attributionLength(lines.slice(start, end), needsDate)
  if (needsDate && length === 0) return undefined
  const first = length === 0 ? start : end - length
  const above = endOfText(lines.slice(Math.max(0, first - 3), first)) + Math.max(0, first - 3) - 1
  if (isDivider(lines[above] ?? '')) return above
  if (length > 0) return first
  return isDivider(lines[start] ?? '') || isHeaderBlock(lines, start) ? start : undefined
}

/**
 * The number of lines before a mail that is not marked line by line, as Outlook quotes. It is kept
 * where nothing is above it, or where the text above says that the answers are in it.
 */
function endOfOwnText(lines: readonly string[]): number {
  const sentence = lines.findIndex(isOwnSentence)
  const hasOwnSentence = (index: number) => sentence !== -1 && sentence < index
  const start = lines.findIndex(
    (line, index) =>
      (line.includes(restMark) && !isQuoted(line)) ||
      isDivider(line) ||
      isHeaderBlock(lines, index) ||
      (hasOwnSentence(index) && startsUnmarkedQuote(lines, index) && !isMarked(lines, index)),
  )
  if (start === -1 || isMarked(lines, start)) return lines.length
  const own = lines.slice(0, start)
  const hasOwn = own.some((line) => line.trim() !== '' && !isQuoted(line) && !rule.test(line))
  if (!hasOwn || announcesAnswers(own)) return lines.length
  const end = endOfText(own)
  return rule.test(own[end - 1] ?? '') ? end - 1 : end
}

/** Whether a text says that the answers are in the quoted mail below. */
function announcesAnswers(own: readonly string[]): boolean {
  const text = own.join('\n').toLowerCase()
  return answersBelow.some((words) => text.includes(words))
}

/** Whether a line is the sender's, and no salutation: answers between the lines of a quote follow those. */
function isOwnSentence(line: string): boolean {
  return line.trim() !== '' && !isQuoted(line) && !/[,:，：]\s{0,9}$/.test(line)
}

/** Whether the mail below a header or divider is marked line by line after all. */
function isMarked(lines: readonly string[], start: number): boolean {
  const rest = lines.slice(start, start + maxHeaderLines + 3)
  const quote = rest.findIndex(isQuoted)
  return quote !== -1 && attributionStart(rest.slice(0, quote), false) === 0
}

function isDivider(line: string): boolean {
  if (line.length > 100 || !/[-‐–—_]{2}/.test(line)) return false
  const content = line.replaceAll('*', '').trim()
  const title = content.replaceAll(/^[-‐–—_]{2,}|[-‐–—_]{2,}$/g, '')
  return title !== content && dividerTitles.has(title.trim().toLowerCase())
}

/** Whether the header of a mail begins in a line: sender, subject and others, with an address. */
function isHeaderBlock(lines: readonly string[], start: number): boolean {
  if (labelOf(lines[start] ?? '') === undefined) return false
  const labels: string[] = []
  let hasAddress = false
  for (const line of lines.slice(start, start + maxHeaderLines)) {
    if (line.trim() === '') break
    const label = labelOf(line)
    if (label !== undefined) labels.push(label)
    hasAddress ||= line.includes('@')
  }
  return (
    hasAddress &&
    labels.length >= minHeaderLines &&
    labels.slice(0, 2).some((label) => fromLabels.has(label)) &&
    labels.some((label) => subjectLabels.has(label))
  )
}

/** The name of the field in a line of a header, which may be bold. */
function labelOf(line: string): string | undefined {
  if (!/^.{0,100}[:：]/.test(line)) return undefined
  const content = line.slice(0, 100).replaceAll('*', '').trim()
  const end = content.search(/[:：]/)
  return end < 1 || end > maxLabelLength ? undefined : content.slice(0, end).trim().toLowerCase()
}
