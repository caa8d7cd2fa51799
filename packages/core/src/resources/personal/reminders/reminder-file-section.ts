import { Type, type Static } from 'typebox'

import { normalizeContent } from '../../../domain/message-content.js'
import { normalizeTopic } from '../../../domain/topics.js'
import { present } from '../../../kernel/present.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection, type FileLoading } from '../../../resource-definition/file-section.js'
import { englishWriter } from '../../../texts/index.js'
import { ReminderRepository } from './reminder-repository.js'
import { normalizeNote, reminderText, type RemindedMessage } from './reminder-text.js'

const FileReminder = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    message_id: FileId,
    note: Type.Optional(Type.String()),
    deliver_at_seconds: FileSeconds,
    is_failed: Type.Optional(Type.Boolean({ description: 'Whether sending it failed.' })),
  },
  closed,
)
type FileReminder = Static<typeof FileReminder>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    reminders: FileReminder
  }
}

export const reminderFile = defineFileSection({
  key: 'reminders',
  summary: 'Reminders of messages. Those that are due are sent at once.',
  item: FileReminder,
  table: 'reminders',
  store: ReminderRepository,
  rows(loading) {
    const messageOf = remindedMessages(loading)
    return (item) => {
      const { user_id, message_id, deliver_at_seconds } = item
      const note = normalizeNote(item.note ?? '')
      // Written in the language of its owner when it is sent.
      const content = reminderText(messageOf(message_id), note, englishWriter)
      return {
        ...(item.id === undefined ? {} : { id: item.id }),
        user_id,
        message_id,
        note,
        content,
        rendered_content: loading.render(user_id, content),
        deliver_at_seconds,
        due_at_seconds: item.is_failed === true ? null : deliver_at_seconds,
      }
    }
  },
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      check.requireKnown(`${place}/message_id`, 'message', item.message_id)
      check.requireRule(`${place}/note`, () => normalizeNote(item.note ?? ''))
    }
  },
})

/** The messages of the reminders, by id. */
function remindedMessages({ lists }: FileLoading): (id: number) => RemindedMessage {
  const { reminders = [], users = [], bots = [], channels = [], messages = [] } = lists
  const messageIds = new Set(reminders.map(({ message_id }) => message_id))
  const names = new Map([...users, ...bots].map(({ id, full_name }) => [id, full_name.trim()]))
  const channelNames = new Map(channels.map(({ id, name }) => [id, name.trim()]))
  const messagesById = new Map(
    messages.filter(({ id = 0 }) => messageIds.has(id)).map((message) => [message.id, message]),
  )
  return (id) => {
    const message = present(messagesById.get(id), 'the message of each reminder')
    const { sender_id, channel_id, topic = '', to = [], content } = message
    return {
      id,
      content: normalizeContent(content),
      topic: normalizeTopic(topic),
      sender: { id: sender_id, full_name: names.get(sender_id) ?? '' },
      place:
        channel_id === undefined
          ? { participantIds: [...new Set([sender_id, ...to])].sort((a, b) => a - b) }
          : { channel: { id: channel_id, name: channelNames.get(channel_id) ?? '' } },
    }
  }
}
