import { namedText, type NamedText, type TextWriter } from '../../../texts/index.js'
import type { NotificationMailTexts } from './mail-options.js'
import {
  endHtml,
  endText,
  link,
  mailDocument,
  paragraph,
  quoteHtml,
  quoteText,
} from './mail-writing.js'

/** A message that the recipient of a mail has missed. */
export interface MissedMessage {
  /** Full name of the sender. */
  readonly sender: string
  readonly sentAtSeconds: number
  /** Plain text, at most 2,000 characters. */
  readonly text: string
}

/** The messages of one conversation that a user has missed. */
export interface MissedConversation {
  /** The name of the organization. */
  readonly organization: string
  /** Whether subjects begin with the name of the organization, as the recipient has chosen. */
  readonly showsOrganization: boolean
  /** Full name of the recipient of the mail. */
  readonly recipient: string
  /** The tag of the language of the recipient's mails, such as `en`. */
  readonly language: string
  readonly conversation:
    | { readonly kind: 'channel'; readonly channel: string; readonly topic: string }
    | {
        readonly kind: 'direct'
        /** Full names of the other participants. */
        readonly participants: readonly string[]
      }
  /** Why the mail is sent. */
  readonly kind: 'mentions' | 'followed_topic' | 'channel'
  /** The last 20 messages, oldest first; undefined if mails must not contain messages. */
  readonly messages: readonly MissedMessage[] | undefined
  /** The number of missed messages. */
  readonly messageCount: number
  /** Where the chat shows the conversation. */
  readonly url: string
  /** Whether a reply to the mail becomes a message in the conversation. */
  readonly acceptsReplies: boolean
  /** The page on which the recipient turns off such mails. */
  readonly unsubscribeUrl: string
}

/** The chat's own texts. */
export function defaultTexts(
  conversation: MissedConversation,
  writer: TextWriter,
): NotificationMailTexts {
  const { write, locale } = writer
  const { messages, messageCount, url, unsubscribeUrl, organization } = conversation
  const intro = write(
    messageCount === 1
      ? namedText('MAIL_MISSED_ONE', { organization })
      : namedText('MAIL_MISSED_MANY', { count: messageCount, organization }),
  )
  const left = messageCount - (messages?.length ?? messageCount)
  const omitted = left > 0 ? [write(omittedText(left))] : []
  const reason = write(namedText(reasonOf(conversation)))
  const quotes = messages ?? []
  const reply = conversation.acceptsReplies ? [write(namedText('MAIL_REPLY'))] : []
  const text = [
    intro,
    ...omitted,
    ...quotes.map((message) => quoteText(message, writer)),
    write(namedText('MAIL_OPEN_AT', { url })),
    ...reply,
    endText(reason, unsubscribeUrl, writer),
  ].join('\n\n')
  const html = mailDocument(locale, [
    paragraph(intro),
    ...omitted.map(paragraph),
    ...quotes.map((message) => quoteHtml(message, writer)),
    `<p>${link(url, write(namedText('MAIL_OPEN')))}</p>`,
    ...reply.map(paragraph),
    endHtml(reason, unsubscribeUrl, writer),
  ])
  return { subject: subjectOf(conversation, writer), text: `${text}\n`, html }
}

function omittedText(count: number): NamedText {
  return count === 1 ? namedText('MAIL_OMITTED_ONE') : namedText('MAIL_OMITTED_MANY', { count })
}

function subjectOf(missed: MissedConversation, { write }: TextWriter): string {
  const { organization, showsOrganization, conversation, messages } = missed
  const prefix = showsOrganization ? `[${organization}] ` : ''
  if (messages === undefined) return prefix + write(namedText('MAIL_SUBJECT_HIDDEN'))
  if (conversation.kind === 'channel') {
    return `${prefix}#${conversation.channel} > ${conversation.topic}`
  }
  const names = conversation.participants.join(', ')
  const text =
    names === '' ? namedText('MAIL_SUBJECT_YOURSELF') : namedText('MAIL_SUBJECT_DIRECT', { names })
  return prefix + write(text)
}

function reasonOf({ kind, conversation }: MissedConversation) {
  if (kind === 'followed_topic') return 'MAIL_REASON_FOLLOWED'
  if (kind === 'channel') return 'MAIL_REASON_CHANNEL'
  return conversation.kind === 'direct' ? 'MAIL_REASON_DIRECT' : 'MAIL_REASON_MENTIONED'
}
