import { Type } from 'typebox'

import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { defineEvent, type WireEvent } from '../../../events/event.js'
import type { EventQueue } from '../../../events/queues/event-queue.js'
import { matchesQueueNarrow } from '../narrows/index.js'
import { EventMessage, type MessageObject } from '../objects/index.js'
import type { LocalId } from './message-draft.js'

/** The data of a new message for all kinds of clients. */
export interface NewMessageData {
  /** The message object without the fields that depend on the queue. */
  readonly message: {
    readonly id: number
    readonly sender_id: number
    readonly type: 'stream' | 'private'
    readonly client: string
    readonly sender_email: string
    readonly recipient_id: number
    readonly display_recipient: MessageObject['display_recipient']
    readonly stream_id?: number
  } & Readonly<Record<string, unknown>>
  readonly topic: string
  readonly content: string
  readonly renderedContent: string
  readonly avatarUrl: string | null
  /** Whether clients that compute gravatar addresses get null instead of `avatarUrl`. */
  readonly isGravatarPublic: boolean
  /** The flags of recipients without flags of their own. */
  readonly commonFlags: readonly string[]
  /** Guests without access to the sender, and the fields they get; absent if there are none. */
  readonly unknownSender?: {
    readonly toUserIds: readonly number[]
    readonly fields: Pick<MessageObject, 'sender_full_name' | 'sender_email' | 'avatar_url'>
  }
  readonly local?: LocalId
}

export const messageSent = defineEvent<NewMessageData>({
  type: 'message',
  decidesNothing: true,
  messageId: ({ message }) => message.id,
  summary:
    'A message was sent. Sent to its recipients, and to queues that request all public channels.',
  payload: Type.Object({
    message: EventMessage,
    flags: Type.Array(Type.String()),
    local_message_id: Type.Optional(Type.String()),
  }),
  defaultFields: ({ commonFlags }) => ({ flags: commonFlags }),

  accepts({ message, topic }, queue, fields) {
    if (isMirrored(message.client, queue.clientName)) return false
    return matchesQueueNarrow(queue.narrow, {
      isDirect: message.type === 'private',
      channelName: typeof message.display_recipient === 'string' ? message.display_recipient : '',
      topic,
      senderEmail: message.sender_email,
      // All recipients have them: `flagGroups` and `defaultFields`.
      flags: fields['flags'] as readonly string[],
    })
  },

  // Otherwise a narrow would tell whose address an unknown sender has.
  isWithheld: (data, queue) =>
    queue.narrow.some(([operator]) => operator === 'sender') && isSenderUnknown(data, queue),

  variant: (queue, data) =>
    `${isSenderUnknown(data, queue) ? 'u' : 'k'}${queue.applyMarkdown ? 'h' : 'm'}${queue.clientGravatar ? 'c' : 's'}${queue.capabilities.empty_topic_name === true ? 'e' : 'n'}`,

  render: (data, queue) => [messageEvent(data, queue)],

  queueFields: ({ local }, queue) =>
    local !== undefined && local.queueId === queue.id
      ? { local_message_id: local.localId }
      : undefined,
})

function messageEvent(data: NewMessageData, queue: EventQueue): WireEvent {
  const isChannel = data.message.type === 'stream'
  const showsEmpty = !isChannel || queue.capabilities.empty_topic_name === true
  return {
    type: 'message',
    message: {
      ...data.message,
      subject: data.topic === '' && !showsEmpty ? emptyTopicDisplayName : data.topic,
      avatar_url: queue.clientGravatar && data.isGravatarPublic ? null : data.avatarUrl,
      content: queue.applyMarkdown ? data.renderedContent : data.content,
      content_type: queue.applyMarkdown ? 'text/html' : 'text/x-markdown',
      ...(isSenderUnknown(data, queue) ? data.unknownSender?.fields : {}),
    },
  }
}

function isSenderUnknown({ unknownSender }: NewMessageData, queue: EventQueue): boolean {
  return unknownSender?.toUserIds.includes(queue.userId) ?? false
}

/** Messages that a mirroring client sends are not sent back to it. */
function isMirrored(sendingClient: string, queueClient: string): boolean {
  const name = sendingClient.toLowerCase()
  return name.includes('mirror') && name === queueClient.toLowerCase()
}
