import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

/** A custom emoji as clients receive it. */
export const CustomEmoji = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    source_url: Type.String({ description: "Relative to the organization's address." }),
    still_url: Type.Union([Type.String(), Type.Null()]),
    deactivated: Type.Boolean(),
    author_id: Type.Union([Type.Integer(), Type.Null()]),
  },
  { additionalProperties: false },
)
export type CustomEmoji = Static<typeof CustomEmoji>

/** All custom emoji of an organization by id, including deactivated ones. */
export const CustomEmojiMap = Type.Record(Type.String(), CustomEmoji)
export type CustomEmojiMap = Static<typeof CustomEmojiMap>

export const customEmojiChanged = defineEvent({
  type: 'realm_emoji',
  op: 'update',
  summary: 'The custom emoji changed; contains all of them. Sent to all active users.',
  payload: Type.Object({ realm_emoji: CustomEmojiMap }),
})
