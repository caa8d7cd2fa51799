import { limits } from '../../../domain/limits.js'
import { cutContent } from '../../../domain/messages/message-content.js'
import { codePointLength } from '../../../domain/texts/folding.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { namedText, type NamedText, type TextWriter } from '../../../texts/index.js'
import { markdownOfHtml } from './html-markdown.js'
import type { IncomingMailContent } from './mail-parser.js'
import { isQuoted } from './mail-quotes.js'
import { startOfText } from './mail-reader.js'
import { isForwarded, isReply, ownText, topicOf } from './mail-text.js'

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

const maxSenderLength = 100

/** The text of a mail as Markdown, as its address asks for it. */
export async function textOfMail(
  mail: IncomingMailContent,
  options: ReadonlySet<string>,
): Promise<string> {
  const { subject, text = '', html = '', hasMixedText } = mail
  const has = (...names: readonly string[]) => names.some((name) => options.has(name))
  const keep = {
    quotes: !isReply(mail) || has('include-quotes'),
    footers: isForwarded(subject) || has('include-footers', 'include-footer'),
  }
  const source = startOfText(text)
  const ofText = markdownOfText(await ownText(source, keep))
  const prefersHtml = has('prefer-html')
  const isComplete = !hasMixedText && (keep.quotes || letters(ofText) === letters(source))
  if (!prefersHtml && isComplete && ofText !== '') return ofText
  const ofHtml = await ownText(await markdownOfHtml(html, keep), keep)
  const [preferred, other] = prefersHtml ? [ofHtml, ofText] : [ofText, ofHtml]
  if (keep.quotes && !hasMixedText) return preferred || other
  // Where less is left of the same text, something was lost that is not quoted.
  return letters(other) > letters(preferred) ? other : preferred || other
}

/** How much text there is, in either form: without addresses and punctuation. */
function letters(text: string): number {
  const words = text.replaceAll(/\b(?:https?:\/\/|mailto:)[^\s()<>]{1,2000}/g, '')
  return words.replaceAll(/[^\p{L}\p{N}]/gu, '').length
}

/** The message of a mail: the part before its text, the text, and the links to its files. */
export function contentOfMail(
  head: readonly string[],
  text: string,
  files: { readonly links: readonly string[]; readonly note: NamedText | undefined },
  { write }: TextWriter,
): string {
  const notes = files.note === undefined ? [] : [write(files.note)]
  const end = [...files.links, ...notes].join('\n')
  const start = head.map((line) => `${line}\n\n`).join('')
  const spent = codePointLength(start) + codePointLength(end) + '\n\n'.length
  const shown = text === '' && end === '' ? write(namedText('INCOMING_MAIL_NO_TEXT')) : text
  const body = cutContent(shown, Math.max(limits.maxMessageLength - spent, 100))
  return [start + body, end].filter((part) => part !== '').join('\n\n')
}

/** The sender that a mail claims to have, in which nothing is a mention or a link by its name. */
export function senderOf({ from }: IncomingMailContent, { write }: TextWriter): string[] {
  if (from === undefined) return []
  const name = from.name
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'-]+/gu, ' ')
    .trim()
    .slice(0, maxSenderLength)
  const address = isEmailAddress(from.address) ? from.address : ''
  const sender = name === '' || address === '' ? name || address : `${name} (${address})`
  return sender === '' ? [] : [write(namedText('INCOMING_MAIL_FROM', { sender }))]
}

/** Where the subject of a mail goes, as the policy about topics allows. */
export function topicFor(
  subject: string,
  policy: string,
  { write }: TextWriter,
): { readonly topic: string; readonly head: readonly string[] } {
  const topic = topicOf(subject)
  if (policy === 'empty_topic_only') {
    return { topic: '', head: topic === '' ? [] : [`**${topic.replaceAll('*', '')}**`] }
  }
  const isRequired = policy === 'disable_empty_topic'
  return {
    topic: topic === '' && isRequired ? write(namedText('INCOMING_MAIL_NO_SUBJECT')) : topic,
    head: [],
  }
}
