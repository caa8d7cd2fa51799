import { Type, type Static } from 'typebox'

import { EditHistoryItem } from '../../../domain/messages/edit-history.js'

const closed = { additionalProperties: false } as const

/** A participant of a direct message, inside `display_recipient`. */
export const DirectRecipient = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    full_name: Type.String(),
    is_mirror_dummy: Type.Boolean(),
  },
  closed,
)

/** A reaction in a message object. */
export const MessageReaction = Type.Object(
  {
    emoji_name: Type.String(),
    emoji_code: Type.String(),
    reaction_type: Type.String(),
    user_id: Type.Integer(),
  },
  closed,
)

export const Submessage = Type.Object(
  {
    id: Type.Integer(),
    message_id: Type.Integer(),
    sender_id: Type.Integer(),
    msg_type: Type.String(),
    content: Type.String(),
  },
  closed,
)

export const TopicLink = Type.Object({ text: Type.String(), url: Type.String() }, closed)

/** The parts of a message that other resources own. */
const messagePartProperties = {
  reactions: Type.Array(MessageReaction),
  submessages: Type.Array(Submessage),
  topic_links: Type.Array(TopicLink),
}
export type MessageParts = {
  -readonly [Name in keyof typeof messagePartProperties]: Static<
    (typeof messagePartProperties)[Name]
  >
}

const messageProperties = {
  id: Type.Integer(),
  sender_id: Type.Integer(),
  sender_full_name: Type.String(),
  sender_email: Type.String(),
  sender_realm_str: Type.String(),
  client: Type.String(),
  timestamp: Type.Integer({ description: 'UNIX seconds.' }),
  type: Type.Union([Type.Literal('stream'), Type.Literal('private')]),
  stream_id: Type.Optional(Type.Integer()),
  display_recipient: Type.Union([Type.String(), Type.Array(DirectRecipient)]),
  recipient_id: Type.Integer(),
  subject: Type.String({ description: 'The topic.' }),
  content: Type.String(),
  content_type: Type.Union([Type.Literal('text/html'), Type.Literal('text/x-markdown')]),
  is_me_message: Type.Boolean(),
  avatar_url: Type.Union([Type.String(), Type.Null()]),
  ...messagePartProperties,
}

/** A message in an event. */
export const EventMessage = Type.Object(messageProperties, closed)

/** A message as clients fetch it. */
export const MessageObject = Type.Object(
  {
    ...messageProperties,
    edit_history: Type.Optional(Type.Array(EditHistoryItem, { minItems: 1 })),
    last_edit_timestamp: Type.Optional(Type.Integer()),
    last_moved_timestamp: Type.Optional(Type.Integer()),
    flags: Type.Array(Type.String()),
    match_content: Type.Optional(Type.String()),
    match_subject: Type.Optional(Type.String()),
  },
  closed,
)
export type MessageObject = Static<typeof MessageObject>
