import { codePointLength } from '../../../domain/folding.js'
import { limits } from '../../../domain/limits.js'
import { messageUrl, type LinkedMessage } from '../../../domain/message-url.js'
import { quoteBlock } from '../../../domain/quote-block.js'
import { widgetKind } from '../../../domain/widgets.js'
import { badRequest } from '../../../errors/index.js'

const widgetNames = { poll: 'a poll', todo: 'a to-do list' } as const

/** The message of a reminder. */
export interface RemindedMessage extends LinkedMessage {
  readonly content: string
  readonly sender: { readonly id: number; readonly full_name: string }
}

/**
 * The form in which a note is stored.
 *
 * @throws {ChatError} `BAD_REQUEST` if it is too long.
 */
export function normalizeNote(text: string): string {
  const note = text.trimEnd().replace(/^[\r\n]+/, '')
  if (codePointLength(note) <= limits.maxReminderNoteLength) return note
  throw badRequest(`Maximum reminder note length: ${limits.maxReminderNoteLength} characters`)
}

/** The text of a reminder as the notification bot sends it, in Markdown. */
export function reminderText(message: RemindedMessage, note: string): string {
  const { id, topic, sender, place, content } = message
  const what =
    'channel' in place
      ? `#**${place.channel.name}>${topic}@${id}**`
      : 'the following direct message'
  const quotedNote = note === '' ? '' : ` Note:\n\n> ${note.replaceAll('\n', '\n> ')}`
  const author = `@_**${sender.full_name}|${sender.id}**`
  const url = messageUrl(message)
  const start = `You requested a reminder for ${what}.${quotedNote}\n\n${author}`
  const widget = widgetKind(content)
  if (widget !== undefined) return `${start} [sent](${url}) ${widgetNames[widget]}.`
  const introduction = `${start} [said](${url}):\n`
  const remaining = limits.maxMessageLength - codePointLength(introduction)
  return introduction + quoteBlock('quote', content, remaining)
}
