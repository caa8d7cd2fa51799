import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineEvent } from '../../../events/event.js'
import type { EventQueue } from '../../../events/queues/event-queue.js'

/** The types of emoji; the built-in extra emoji are accepted under two names. */
export const ReactionType = Type.Union([
  Type.Literal('unicode_emoji'),
  Type.Literal('realm_emoji'),
  Type.Literal('service_extra_emoji'),
  Type.Literal('zulip_extra_emoji'),
])

/** An emoji on the wire; `emoji_code` is unique only within its `reaction_type`. */
export const Emoji = Type.Object({
  emoji_name: Type.String(),
  emoji_code: Type.String({
    description:
      'Dash-separated hexadecimal code points of a Unicode emoji, the id of a custom one, or the name of a built-in extra one.',
  }),
  reaction_type: ReactionType,
})

/** The request parameters that identify an emoji. */
export const EmojiParameters = {
  emoji_name: Type.Optional(Bounded.name()),
  emoji_code: Type.Optional(Bounded.name()),
  reaction_type: Type.Optional(Bounded.name()),
}
export type EmojiParameters = Static<ReturnType<typeof Type.Object<typeof EmojiParameters>>>

export interface ReactionEvent {
  readonly user_id: number
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string }
  readonly message_id: number
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
  /** Guests who cannot access the user, and the placeholder user that they get. */
  readonly placeholder?: {
    readonly toUserIds: readonly number[]
    readonly user: ReactionEvent['user']
  }
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
  decidesNothing: true,
  summary: 'A user reacted to a message. Sent to the users who get events about the message.',
  payload,
  variant,
  render: (data, queue) => [{ type: 'reaction', op: 'add', ...shownTo(queue, data) }],
})

export const reactionRemoved = defineEvent<ReactionEvent>({
  type: 'reaction',
  op: 'remove',
  decidesNothing: true,
  summary: 'A user removed a reaction. Sent to the users who get events about the message.',
  payload,
  variant,
  render: (data, queue) => [{ type: 'reaction', op: 'remove', ...shownTo(queue, data) }],
})

function lacksAccess(queue: EventQueue, { placeholder }: ReactionEvent): boolean {
  return placeholder?.toUserIds.includes(queue.userId) ?? false
}

function variant(queue: EventQueue, data: ReactionEvent): string {
  return lacksAccess(queue, data) ? 'u' : 'k'
}

function shownTo(queue: EventQueue, data: ReactionEvent): Omit<ReactionEvent, 'placeholder'> {
  const { placeholder, ...rest } = data
  return placeholder !== undefined && lacksAccess(queue, data)
    ? { ...rest, user: placeholder.user }
    : rest
}
