import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'
import { Emoji } from './reaction-schemas.js'

export interface ReactionEvent {
  readonly user_id: number
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string }
  readonly message_id: number
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

const payload = Type.Object({
  user_id: Type.Integer(),
  user: Type.Object({
    user_id: Type.Integer(),
    email: Type.String(),
    full_name: Type.String(),
  }),
  message_id: Type.Integer(),
  ...Emoji.properties,
})

export const reactionAdded = defineEvent<ReactionEvent>({
  type: 'reaction',
  op: 'add',
  summary: 'A user reacted to a message. Sent to those who follow what is done to the message.',
  payload,
})

export const reactionRemoved = defineEvent<ReactionEvent>({
  type: 'reaction',
  op: 'remove',
  summary: 'A user took back a reaction. Sent to those who follow what is done to the message.',
  payload,
})
