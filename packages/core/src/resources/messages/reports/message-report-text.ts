import { codePointLength } from '../../../domain/folding.js'
import { limits } from '../../../domain/limits.js'
import { quoteBlock } from '../../../domain/quote-block.js'

/** Display texts of the report types, for moderators. */
const reportReasons = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
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
export function reportTopic(sender: Person): string {
  return `${sender.full_name} moderation requests`
}

/** The content of the notification message to the moderators, as Markdown. */
export function reportText(
  reporter: Person,
  message: ReportedMessage,
  type: ReportType,
  description: string,
): string {
  const { id, content, topic, sender, channelName } = message
  const what = channelName === undefined ? 'a direct message' : `#**${channelName}>${topic}@${id}**`
  const author = silentMention(sender)
  const start =
    `${silentMention(reporter)} reported ${what} sent by ${author}.\n\n` +
    `- Reason: **${reportReasons[type]}**\n\n`
  const notes =
    description === '' ? '' : `${quoteBlock('quote', description, limits.maxMessageLength)}\n\n`
  const remainingLength = limits.maxMessageLength - codePointLength(start) - codePointLength(notes)
  const spoiler = `spoiler Message sent by ${author}`
  return start + notes + quoteBlock(spoiler, content, remainingLength)
}

function silentMention({ full_name, id }: Person): string {
  return `@_**${full_name}|${id}**`
}
