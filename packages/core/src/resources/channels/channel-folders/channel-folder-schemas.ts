import { Type, type Static } from 'typebox'

/** A folder of channels. */
export const ChannelFolder = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String({ description: 'Markdown.' }),
    rendered_description: Type.String({ description: 'HTML.' }),
    order: Type.Integer({ description: 'Ascending in display order.' }),
    creator_id: Type.Union([Type.Integer(), Type.Null()]),
    date_created: Type.Union([Type.Integer({ description: 'UNIX seconds.' }), Type.Null()]),
    is_archived: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type ChannelFolder = Static<typeof ChannelFolder>
