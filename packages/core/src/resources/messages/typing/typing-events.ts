import { Type, type Static } from 'typebox'

import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { defineEvent, type EventFactory } from '../../../events/event.js'
import type { DeepReadonly } from '../../../kernel/deep-readonly.js'

export type TypingOp = 'start' | 'stop'

const Person = Type.Object({ user_id: Type.Integer(), email: Type.String() })

const Typing = Type.Object({
  message_type: Type.Union([Type.Literal('direct'), Type.Literal('stream')]),
  sender: Person,
  recipients: Type.Optional(
    Type.Array(Person, { description: 'All participants, including the sender.' }),
  ),
  stream_id: Type.Optional(Type.Integer()),
  topic: Type.Optional(Type.String()),
})
type Typing = Static<typeof Typing>

function defineTyping(op: TypingOp): EventFactory<Typing> {
  return defineEvent<Typing>({
    type: 'typing',
    op,
    decidesNothing: true,
    summary: `A user ${op === 'start' ? 'started' : 'stopped'} typing a message. Sent to the users who would receive it and have \`receives_typing_notifications\` on, including the sender. For channels, only sent where there are at most 100 subscribers, to queues with \`stream_typing_notifications\`.`,
    payload: Typing,
    ephemeral: Typing,
    isTransient: true,
    accepts: ({ message_type }, queue) =>
      message_type === 'direct' || queue.capabilities.stream_typing_notifications === true,
    variant: (queue) => (queue.capabilities.empty_topic_name === true ? 'e' : 'n'),
    render(data, queue) {
      const showsName = data.topic === '' && queue.capabilities.empty_topic_name !== true
      return [
        { type: 'typing', op, ...data, ...(showsName ? { topic: emptyTopicDisplayName } : {}) },
      ]
    },
  })
}

export const messageTyping = { start: defineTyping('start'), stop: defineTyping('stop') } as const

const EditTyping = Type.Object({
  sender_id: Type.Integer({ description: 'The user who edits.' }),
  message_id: Type.Integer(),
  recipient: Type.Object({
    type: Type.Union([Type.Literal('direct'), Type.Literal('channel')]),
    channel_id: Type.Optional(Type.Integer()),
    topic: Type.Optional(Type.String()),
    user_ids: Type.Optional(Type.Array(Type.Integer(), { description: 'All participants.' })),
  }),
})
type EditTyping = DeepReadonly<Static<typeof EditTyping>>

function defineEditTyping(op: TypingOp): EventFactory<EditTyping> {
  return defineEvent({
    type: 'typing_edit_message',
    op,
    decidesNothing: true,
    summary: `A user ${op === 'start' ? 'started' : 'stopped'} editing a message. Sent to the users who would receive the edit and have \`receives_typing_notifications\` on. For channels, only sent where there are at most 100 subscribers.`,
    payload: EditTyping,
    ephemeral: EditTyping,
    isTransient: true,
  })
}

export const editTyping = {
  start: defineEditTyping('start'),
  stop: defineEditTyping('stop'),
} as const
