import { Type } from 'typebox'

import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { defineEvent, type EventMerging, type WireEvent } from '../../../events/event.js'

/** The conversation of a message that became unread again, so that clients can count it. */
export type UnreadDetails =
  | {
      readonly type: 'stream'
      readonly stream_id: number
      readonly topic: string
      readonly unmuted_stream_msg: boolean
      readonly mentioned?: true
    }
  | { readonly type: 'private'; readonly user_ids: readonly number[]; readonly mentioned?: true }

/** A flag that was added to or removed from messages. */
export interface FlagChange {
  readonly flag: string
  /** Empty if `all`. */
  readonly messages: readonly number[]
  readonly all: boolean
}

type Marked = Pick<FlagChange, 'flag' | 'messages'>

function flagEvent(op: 'add' | 'remove', { flag, messages }: Marked, all = false): WireEvent {
  return { type: 'update_message_flags', op, operation: op, flag, messages, all }
}

/** Merges pending changes of one flag, unless they contain more than message ids. */
function flagMerging<Change extends Marked>(
  op: 'add' | 'remove',
  mayMerge: (change: Change) => boolean,
): EventMerging<Change> {
  return {
    subject: ({ flag }) => flag,
    mayMerge,
    merge: (changes) =>
      flagEvent(op, {
        flag: changes[0]?.flag ?? '',
        messages: changes.flatMap(({ messages }) => messages),
      }),
  }
}

const changeProperties = {
  operation: Type.String({ description: 'Same as `op`; deprecated.' }),
  flag: Type.String(),
  messages: Type.Array(Type.Integer()),
  all: Type.Boolean({ description: 'Whether all messages were marked as read.' }),
}

export const messageFlagsAdded = defineEvent<FlagChange>({
  type: 'update_message_flags',
  op: 'add',
  decidesNothing: true,
  summary: 'A flag was added to messages. Sent to the user who has the flag.',
  payload: Type.Object(changeProperties),
  render: (change) => [flagEvent('add', change, change.all)],
  merging: flagMerging<FlagChange>('add', ({ all }) => !all),
})

export const messageFlagsRemoved = defineEvent<
  Omit<FlagChange, 'all'> & {
    /** By message id; only if `read` was removed. */
    readonly details?: Readonly<Record<string, UnreadDetails>>
  }
>({
  type: 'update_message_flags',
  op: 'remove',
  decidesNothing: true,
  summary: 'A flag was removed from messages. Sent to the user who had the flag.',
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

  render({ details, ...change }, { capabilities }): readonly WireEvent[] {
    if (details === undefined) return [flagEvent('remove', change)]
    const allowsEmptyTopics = capabilities.empty_topic_name === true
    const messageDetails = allowsEmptyTopics ? details : withNamedTopics(details)
    return [{ ...flagEvent('remove', change), message_details: messageDetails }]
  },

  merging: flagMerging('remove', ({ flag }) => flag !== 'read'),
})

function withNamedTopics(details: Readonly<Record<string, UnreadDetails>>): object {
  return Object.fromEntries(
    Object.entries(details).map(([id, one]) => [
      id,
      one.type === 'stream' && one.topic === '' ? { ...one, topic: emptyTopicDisplayName } : one,
    ]),
  )
}
