import { codePointLength } from '../../../domain/folding.js'
import { limits } from '../../../domain/limits.js'
import { messageUrl, type LinkedMessage } from '../../../domain/message-url.js'
import { quoteBlock } from '../../../domain/quote-block.js'
import { widgetKind } from '../../../domain/widgets.js'
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

/** The text of a reminder as the notification bot sends it, in Markdown. */
export function reminderText(
  message: RemindedMessage,
  note: string,
  { write }: TextWriter,
): string {
  const { id, topic, sender, place, content } = message
  const what =
    'channel' in place
      ? namedText('REMINDER_OF_CHANNEL_MESSAGE', {
          message: `#**${place.channel.name}>${topic}@${id}**`,
        })
      : namedText('REMINDER_OF_DIRECT_MESSAGE')
  const quotedNote =
    note === '' ? '' : write(namedText('REMINDER_NOTE', { note: note.replaceAll('\n', '\n> ') }))
  const start = `${write(what)}${quotedNote}\n\n`
  const values = { user: `@_**${sender.full_name}|${sender.id}**`, url: messageUrl(message) }
  const widget = widgetKind(content)
  if (widget !== undefined) return start + write(namedText(widgetTexts[widget], values))
  const introduction = start + write(namedText('REMINDER_QUOTE', values))
  const remaining = limits.maxMessageLength - codePointLength(introduction)
  return introduction + quoteBlock('quote', content, remaining)
}
