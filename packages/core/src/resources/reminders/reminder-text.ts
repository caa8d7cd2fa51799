import { codePointLength } from '../../domain/folding.js'
import { limits } from '../../domain/limits.js'
import { quoteBlock } from '../../domain/quote-block.js'
import { widgetKind } from '../../domain/widgets.js'
import { badRequest } from '../../errors/index.js'
import { encodeForHash } from '../../markdown/index.js'

const widgetNames = { poll: 'a poll', todo: 'a to-do list' } as const

/** The message that somebody wants to be reminded of. */
export interface RemindedMessage {
  readonly id: number
  readonly content: string
  readonly topic: string
  readonly sender: { readonly id: number; readonly full_name: string }
  /** The channel, or everybody in the direct conversation. */
  readonly place:
    | { readonly channel: { readonly id: number; readonly name: string } }
    | { readonly participantIds: readonly number[] }
}

/**
 * The form in which a note is kept.
 *
 * @throws {ChatError} `BAD_REQUEST` if it is too long.
 */
export function normalizeNote(text: string): string {
  const note = text.trimEnd().replace(/^[\r\n]+/, '')
  if (codePointLength(note) <= limits.maxReminderNoteLength) return note
  throw badRequest(`Maximum reminder note length: ${limits.maxReminderNoteLength} characters`)
}

/** What the notification bot writes to remind somebody of a message, as Markdown. */
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
  const room = limits.maxMessageLength - codePointLength(introduction)
  return introduction + quoteBlock('quote', content, room)
}

function messageUrl({ id, topic, place }: RemindedMessage): string {
  if ('participantIds' in place) {
    const { participantIds } = place
    const kind = participantIds.length > 2 ? 'group' : 'dm'
    return `/#narrow/dm/${participantIds.join(',')}-${kind}/near/${id}`
  }
  const { channel } = place
  const slug = `${channel.id}-${encodeForHash(channel.name.replaceAll(' ', '-'))}`
  return `/#narrow/channel/${slug}/topic/${encodeForHash(topic)}/near/${id}`
}
