import { interpretTopic, truncateTopic } from '../../../domain/messages/topics.js'
import { toStorable } from '../../../domain/texts/invalid-characters.js'
import { attributionMark } from './attribution.js'
import type { IncomingMailContent } from './mail-parser.js'
import { restMark, withoutQuotes } from './mail-quotes.js'
import { signatureStart } from './mail-signature.js'

const maxPrefixes = 20
/** `Re:` and its forms in other languages, also `Re[2]:`. */
const replyPrefix = prefixOf(
  're|aw|sv|antw|vs|odp|ynt|vá|res|rif|απ|回复|答复|回覆|答覆|返信|회신|답장',
)
/** `Fwd:` and its forms. */
const forwardPrefix = prefixOf('fwd?|wg|tr|rv|enc|vl|vb|pd|doorst|ilt|i̇lt|πρθ|转发|轉寄|転送|전달')

function prefixOf(words: string): RegExp {
  return new RegExp(`^\\s*(?:${words})\\s{0,3}(?:\\[\\d{1,3}\\])?\\s{0,3}[:：]`, 'iu')
}

/** Whether a mail answers another one, and does not only pass it on: then it quotes it. */
export function isReply({ subject, headers }: IncomingMailContent): boolean {
  if (isForwarded(subject)) return false
  const names = ['in-reply-to', 'references']
  return replyPrefix.test(subject) || names.some((name) => headers(name).join('') !== '')
}

/** Whether the subject says that the mail was forwarded: then its quotes are its content. */
export function isForwarded(subject: string): boolean {
  return forwardPrefix.test(subject)
}

/** The topic for a subject: one line, without prefixes of replies; may be empty. */
export function topicOf(subject: string): string {
  // Characters that topics must not contain
  let topic = subject.replaceAll(/[\s\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu, ' ').trim()
  for (let index = 0; index < maxPrefixes; index += 1) {
    topic = topic.replace(replyPrefix, '').replace(forwardPrefix, '').trim()
  }
  return truncateTopic(interpretTopic(topic))
}

/** The parts of a mail that are kept besides the text that its sender has written. */
export interface KeptParts {
  readonly quotes: boolean
  readonly footers: boolean
}

/** Removes the parts that are not kept from a text: the mail that is answered, and signatures. */
export async function ownText(text: string, keep: KeptParts): Promise<string> {
  const lines = toStorable(text).replaceAll('\r\n', '\n').split('\n')
  if (!keep.quotes) return textOfLines(await withoutQuotes(lines, keep.footers))
  return textOfLines(keep.footers ? lines : lines.slice(0, signatureStart(lines)))
}

function textOfLines(lines: readonly string[]): string {
  const text = lines.join('\n').replaceAll(`> ${restMark}\n`, '')
  return text.replaceAll(restMark, '').replaceAll(attributionMark, '').trim()
}
