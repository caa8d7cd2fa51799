import { limits } from '../../../domain/limits.js'
import { messageUrl, type LinkedMessage } from '../../../domain/messages/message-url.js'
import { quoteBlock } from '../../../domain/messages/quote-block.js'
import { widgetKind } from '../../../domain/messages/widgets.js'
import { codePointLength } from '../../../domain/texts/folding.js'
import { badRequest } from '../../../errors/index.js'
import { namedText, type TextWriter } from '../../../texts/index.js'

const widgetTexts = { poll: 'REMINDER_POLL', todo: 'REMINDER_TODO' } as const

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
  throw badRequest('REMINDER_NOTE_TOO_LONG', { limit: limits.maxReminderNoteLength })
}

/** The text of a reminder, in Markdown. */
export interface ReminderText {
  readonly introduction: string
  /** The text of the message, which follows in a block; undefined if it is not quoted. */
  readonly quoted?: string
}

/**
 * @param message undefined if the owner of the reminder cannot read it.
 * @param isQuoted whether to include the text of the message.
 */
export function reminderText(
  message: RemindedMessage | undefined,
  note: string,
  isQuoted: boolean,
  { write }: TextWriter,
): ReminderText {
  const quotedNote =
    note === '' ? '' : write(namedText('REMINDER_NOTE', { note: note.replaceAll('\n', '\n> ') }))
  if (message === undefined) {
    return { introduction: write(namedText('REMINDER_OF_UNREADABLE_MESSAGE')) + quotedNote }
  }
  const { id, topic, sender, place, content } = message
  const what =
    'channel' in place
      ? namedText('REMINDER_OF_CHANNEL_MESSAGE', {
          message: `#**${place.channel.name}>${topic}@${id}**`,
        })
      : namedText('REMINDER_OF_DIRECT_MESSAGE')
  const start = `${write(what)}${quotedNote}\n\n`
  const values = { user: `@_**${sender.full_name}|${sender.id}**`, url: messageUrl(message) }
  const widget = widgetKind(content)
  if (widget !== undefined || !isQuoted) {
    const name = widget === undefined ? 'REMINDER_MESSAGE' : widgetTexts[widget]
    return { introduction: start + write(namedText(name, values)) }
  }
  return { introduction: start + write(namedText('REMINDER_QUOTE', values)), quoted: content }
}

/** The whole text, as the notification bot sends it. */
export function joinedText({ introduction, quoted }: ReminderText): string {
  if (quoted === undefined) return introduction
  const remaining = limits.maxMessageLength - codePointLength(introduction)
  return introduction + quoteBlock('quote', quoted, remaining)
}
