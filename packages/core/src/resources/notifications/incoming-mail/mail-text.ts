import { interpretTopic, truncateTopic } from '../../../domain/topics.js'

/** `Re:`, `Fwd:` and their forms in other languages, also `Re[2]:`. */
const prefix = /^\s*(re|aw|sv|antw|fwd?|wg|tr|rv|enc)\s{0,3}(\[\d{1,3}\])?\s{0,3}:/i
const forwarded = /^\s*(fwd?|wg|tr|rv|enc)\s{0,3}:/i
const maxPrefixes = 20
/** Lines above a quote that mail programs write, such as "On Monday, Ada wrote:". */
const attribution =
  /^(on|am|le|el|il|op|den|em)\s.{1,300}(wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu).{0,100}:$/i
const attributionStart = /^(on|am|le|el|il|op|den|em)\s/i
const divider =
  /^-{3,}\s{0,3}(original message|ursprüngliche nachricht|message d'origine|forwarded message)\s{0,3}-{3,}$/i
const outlookHeader = /^(from|von|de):\s.{1,300}$/i
const outlookDate = /^(sent|gesendet|envoyé|date|datum):\s.{1,300}$/i
const maxAttributionLines = 3

/** Whether the subject says that the mail was forwarded: then its quotes are what it is about. */
export function isForwarded(subject: string): boolean {
  return forwarded.test(subject)
}

/** The topic for a subject: one line, without prefixes of replies; may be empty. */
export function topicOf(subject: string): string {
  // Characters that topics must not contain
  let topic = subject.replaceAll(/[\s\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu, ' ').trim()
  for (let index = 0; index < maxPrefixes && prefix.test(topic); index += 1) {
    topic = topic.replace(prefix, '').trim()
  }
  return truncateTopic(interpretTopic(topic))
}

/** What is kept of a text, besides what its sender has written. */
export interface KeptParts {
  readonly quotes: boolean
  readonly footers: boolean
}

/** Removes the quoted mail below or above a reply, and the signature. */
export function ownText(text: string, keep: KeptParts): string {
  let lines: readonly string[] = text.replaceAll('\r\n', '\n').replaceAll('\0', '').split('\n')
  if (!keep.footers) {
    const signature = lines.findIndex((line) => line === '-- ' || line === '--')
    if (signature !== -1) lines = lines.slice(0, signature)
  }
  if (!keep.quotes) lines = withoutQuotes(lines)
  return lines.join('\n').trim()
}

function withoutQuotes(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((_, index) => quoteBeginsAt(lines, index))
  const own = [...(end === -1 ? lines : lines.slice(0, end))]
  // A quote at the end that no line announces
  while (own.length > 0 && /^(>|\s*$)/.test(own.at(-1) ?? '')) own.pop()
  return own
}

/** Whether the rest of the mail is another mail, which the sender has replied to. */
function quoteBeginsAt(lines: readonly string[], index: number): boolean {
  const line = lines[index]?.trim() ?? ''
  if (divider.test(line)) return true
  if (outlookHeader.test(line)) {
    return lines.slice(index + 1, index + 4).some((next) => outlookDate.test(next.trim()))
  }
  if (!attributionStart.test(line)) return false
  for (let count = 1; count <= maxAttributionLines; count += 1) {
    const joined = lines
      .slice(index, index + count)
      .join(' ')
      .trim()
    if (!attribution.test(joined)) continue
    let next = index + count
    while (lines[next]?.trim() === '') next += 1
    return lines[next] === undefined || lines[next]?.startsWith('>') === true
  }
  return false
}
