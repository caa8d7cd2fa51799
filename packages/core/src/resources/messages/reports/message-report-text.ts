import { limits } from '../../../domain/limits.js'
import { quoteBlock } from '../../../domain/messages/quote-block.js'
import { codePointLength } from '../../../domain/texts/folding.js'
import { namedText, type NamedText, type TextWriter } from '../../../texts/index.js'

/** Display texts of the report types, for moderators. */
const reportReasons = {
  spam: 'REPORT_SPAM',
  harassment: 'REPORT_HARASSMENT',
  inappropriate: 'REPORT_INAPPROPRIATE',
  norms: 'REPORT_NORMS',
  other: 'REPORT_OTHER',
} as const
export type ReportType = keyof typeof reportReasons

interface Person {
  readonly id: number
  readonly full_name: string
}

/** A message that a user reports. */
export interface ReportedMessage {
  readonly id: number
  readonly content: string
  readonly topic: string
  readonly sender: Person
  /** The channel's name; undefined for a direct message. */
  readonly channelName: string | undefined
}

/** The topic of the reports about a user's messages. */
export function reportTopic(sender: Person): NamedText {
  return namedText('REPORTS_TOPIC', { name: sender.full_name })
}

/** The content of the notification message to the moderators, as Markdown. */
export function reportText(
  reporter: Person,
  message: ReportedMessage,
  type: ReportType,
  description: string,
  { write }: TextWriter,
): string {
  const { id, content, topic, sender, channelName } = message
  const author = silentMention(sender)
  const values = {
    reporter: silentMention(reporter),
    user: author,
    reason: namedText(reportReasons[type]),
  }
  const start = write(
    channelName === undefined
      ? namedText('REPORT_OF_DIRECT_MESSAGE', values)
      : namedText('REPORT_OF_CHANNEL_MESSAGE', {
          ...values,
          message: `#**${channelName}>${topic}@${id}**`,
        }),
  )
  const notes =
    description === '' ? '' : `${quoteBlock('quote', description, limits.maxMessageLength)}\n\n`
  const remainingLength = limits.maxMessageLength - codePointLength(start) - codePointLength(notes)
  const spoiler = `spoiler ${write(namedText('REPORT_QUOTE', { user: author }))}`
  return start + notes + quoteBlock(spoiler, content, remainingLength)
}

function silentMention({ full_name, id }: Person): string {
  return `@_**${full_name}|${id}**`
}
