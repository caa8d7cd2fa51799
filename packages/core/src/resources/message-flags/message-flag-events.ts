import { Type } from 'typebox'

import { emptyTopicDisplayName } from '../../domain/topics.js'
import { defineEvent, type WireEvent } from '../../events/event.js'

/** Where a message is that is unread again, so that clients can count it. */
export type UnreadDetails =
  | {
      readonly type: 'stream'
      readonly stream_id: number
      readonly topic: string
      readonly unmuted_stream_msg: boolean
      readonly mentioned?: true
    }
  | { readonly type: 'private'; readonly user_ids: readonly number[]; readonly mentioned?: true }

/** A flag was added to messages, or removed. */
export interface FlagChange {
  readonly flag: string
  /** Empty if `all`. */
  readonly messages: readonly number[]
  readonly all: boolean
}

const changeProperties = {
  operation: Type.String({ description: 'The same as `op`; deprecated.' }),
  flag: Type.String(),
  messages: Type.Array(Type.Integer()),
  all: Type.Boolean({ description: 'Whether every message was marked as read.' }),
}

export const messageFlagsAdded = defineEvent<FlagChange>({
  type: 'update_message_flags',
  op: 'add',
  summary: 'A flag was added to messages. Sent to the user whose flag it is.',
  payload: Type.Object(changeProperties),
  render: ({ flag, messages, all }) => [
    { type: 'update_message_flags', op: 'add', operation: 'add', flag, messages, all },
  ],
})

export const messageFlagsRemoved = defineEvent<
  Omit<FlagChange, 'all'> & {
    /** Of each message, where `read` was removed. */
    readonly details?: Readonly<Record<string, UnreadDetails>>
  }
>({
  type: 'update_message_flags',
  op: 'remove',
  summary: 'A flag was removed from messages. Sent to the user whose flag it was.',
  payload: Type.Object({
    ...changeProperties,
    message_details: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([
          Type.Object({
            type: Type.Literal('stream'),
            stream_id: Type.Integer(),
            topic: Type.String(),
            unmuted_stream_msg: Type.Boolean(),
            mentioned: Type.Optional(Type.Literal(true)),
          }),
          Type.Object({
            type: Type.Literal('private'),
            user_ids: Type.Array(Type.Integer()),
            mentioned: Type.Optional(Type.Literal(true)),
          }),
        ]),
      ),
    ),
  }),

  variant: ({ capabilities }) => (capabilities.empty_topic_name === true ? 'e' : 'n'),

  render({ flag, messages, details }, { capabilities }): readonly WireEvent[] {
    const allowsEmptyTopics = capabilities.empty_topic_name === true
    return [
      {
        type: 'update_message_flags',
        op: 'remove',
        operation: 'remove',
        flag,
        messages,
        all: false,
        ...(details === undefined
          ? {}
          : { message_details: allowsEmptyTopics ? details : withNamedTopics(details) }),
      },
    ]
  },
})

function withNamedTopics(details: Readonly<Record<string, UnreadDetails>>): object {
  return Object.fromEntries(
    Object.entries(details).map(([id, one]) => [
      id,
      one.type === 'stream' && one.topic === '' ? { ...one, topic: emptyTopicDisplayName } : one,
    ]),
  )
}
