import { attributionStarts, attributionVerbs, pronouns, quotingStarts } from './quote-words.js'

/** Ends a line that the HTML of a mail marks as an attribution. No text has this character. */
export const attributionMark = '\u{F0001}'

const maxLines = 4
const maxLength = 600
/** Mail programs break only lines that are long. */
const minBrokenLength = 25
const address = /[^\s@<(]@[\p{L}\p{N}-]/u
const date = /(?:19|20)\d\d|[٠-٩۰-۹]{2}|\d{1,2}[./-]\d{1,2}[./-]\d\d/u
const time = /\d[:.h]\d\d|[٠-٩۰-۹]:[٠-٩۰-۹]/u
const startsWithDay = /^\p{L}{2,3}\s\d/u
const startsWithEnglishDay =
  /^on\s(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/**
 * How many of the last lines are an attribution, such as "On 2 November 2026 at 9:00, Ada wrote:";
 * 0 if none. It has no blank and no quoted lines.
 *
 * @param needsDate because no quote follows.
 */
export function attributionLength(lines: readonly string[], needsDate: boolean): number {
  let best = { length: 0, parts: -1 }
  for (let length = 1; length <= maxLines && length <= lines.length; length += 1) {
    const first = lines.at(-length) ?? ''
    if (first.trim() === '' || first.startsWith('>') || (length > 1 && !isBroken(first))) break
    const text = lines
      .slice(-length)
      .map((line) => line.slice(0, maxLength))
      .join(' ')
      .trim()
    if (text.length > maxLength) break
    if (!isAttribution(text)) continue
    const parts = [date, address].filter((part) => part.test(text)).length
    if (parts > best.parts && (!needsDate || isDated(text))) best = { length, parts }
    if (attributionStarts.test(text) || text.endsWith(attributionMark)) break
  }
  return best.length
}

/** Whether the next line may continue a line. */
function isBroken(line: string): boolean {
  return line.length >= minBrokenLength && !/[!?:;…]\s{0,9}$|\p{Ll}{3}\.\s{0,9}$/u.test(line)
}

function isDated(text: string): boolean {
  return text.endsWith(attributionMark) || date.test(text)
}

function isAttribution(text: string): boolean {
  if (text.endsWith(attributionMark)) return true
  // Marks of the direction of writing, dashes, and marks of emphasis
  const content = text.replaceAll(/\p{Cf}|^-{2,}\s|[\s*_]{1,9}$/gu, '').trim()
  if (!/[:：]$|\s-{3,}$/.test(content)) return false
  // An address that is continued from the line above
  if (content.includes('>') && !content.includes('<')) return false
  const lower = content.toLowerCase()
  const hasVerb = attributionVerbs.some((verb) => lower.includes(verb))
  if (address.test(content)) {
    const namesSender = /[<(][^\s@]{1,100}@|^\d.*@[^\s:]{1,100}:$/.test(content)
    const isSender = namesSender && date.test(content) && time.test(content)
    return hasVerb || quotingStarts.test(content) || isSender
  }
  if (!hasVerb) return false
  if (date.test(content)) return time.test(content) || attributionStarts.test(content)
  if (lower.split(/[\s,]+/).some((word) => pronouns.has(word))) return false
  return (
    startsWithEnglishDay.test(content) ||
    (startsWithDay.test(content) && attributionStarts.test(content))
  )
}
