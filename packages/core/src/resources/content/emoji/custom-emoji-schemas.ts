import { Type, type Static } from 'typebox'

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
