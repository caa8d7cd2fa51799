import { attributionLength } from './attribution.js'
import { attributionVerbs } from './quote-words.js'

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
export function startsUnmarkedQuote(lines: readonly string[], index: number): boolean {
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
