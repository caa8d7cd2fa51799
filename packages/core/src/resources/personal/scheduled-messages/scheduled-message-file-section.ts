import { Type, type Static } from 'typebox'

import { normalizeContent } from '../../../domain/messages/message-content.js'
import { normalizeTopic } from '../../../domain/messages/topics.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { toJson } from '../../../storage/index.js'
import { scheduledMessages } from './scheduled-messages-table.js'

const FileScheduledMessage = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    channel_id: Type.Optional(FileId),
    topic: Type.Optional(Type.String()),
    to: Type.Optional(
      Type.Array(FileId, {
        minItems: 1,
        description: 'The other participants; only the user for a note to self.',
      }),
    ),
    content: Type.String({ minLength: 1 }),
    deliver_at_seconds: FileSeconds,
    read_by_sender: Type.Optional(Type.Boolean()),
    failure: Type.Optional(
      Type.String({
        maxLength: scheduledMessages.columns.failure.maxLength,
        description: 'Why sending it failed.',
      }),
    ),
  },
  closed,
)
type FileScheduledMessage = Static<typeof FileScheduledMessage>

export const scheduledMessageFile = defineFileSection({
  key: 'scheduled_messages',
  summary: 'Scheduled messages. Those that are due are sent at once.',
  item: FileScheduledMessage,
  rowsOf: scheduledMessages,
  rows:
    ({ render }) =>
    (item) => {
      const content = normalizeContent(item.content)
      const userIds = recipientsOf(item)
      const isToSelf = item.channel_id === undefined && userIds.join() === String(item.user_id)
      return {
        ...(item.id === undefined ? {} : { id: item.id }),
        user_id: item.user_id,
        channel_id: item.channel_id ?? null,
        user_ids: toJson(userIds),
        topic: item.channel_id === undefined ? '' : normalizeTopic(item.topic ?? ''),
        content,
        rendered_content: render(item.user_id, content),
        deliver_at_seconds: item.deliver_at_seconds,
        read_by_sender: item.read_by_sender ?? !isToSelf,
        client: 'Internal',
        due_at_seconds: item.failure === undefined ? item.deliver_at_seconds : null,
        failure: item.failure === undefined ? null : 'IMPORTED',
        sent_message_id: null,
      }
    },
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      check.requireAllKnown(`${place}/to`, 'user', item.to)
      if ((item.channel_id === undefined) === (item.to === undefined)) {
        check.report(place, 'needs either channel_id or to')
      }
      if (item.channel_id !== undefined) {
        check.requireKnown(`${place}/channel_id`, 'channel', item.channel_id)
        if (item.topic === undefined) check.report(place, 'needs a topic')
      }
      check.requireRule(`${place}/topic`, () => normalizeTopic(item.topic ?? ''))
      check.requireRule(`${place}/content`, () => normalizeContent(item.content))
    }
  },
})

/** Ascending and without the sender, except in a note to self. */
function recipientsOf({ user_id, to = [] }: FileScheduledMessage): number[] {
  const others = [...new Set(to)].filter((id) => id !== user_id).sort((a, b) => a - b)
  return others.length === 0 && to.length > 0 ? [user_id] : others
}
