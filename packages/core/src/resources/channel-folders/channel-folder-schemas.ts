import { Type, type Static } from 'typebox'

/** What channels are sorted into. */
export const ChannelFolder = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String({ description: 'Markdown.' }),
    rendered_description: Type.String({ description: 'HTML.' }),
    order: Type.Integer({ description: 'Ascending in the order in which folders are shown.' }),
    creator_id: Type.Union([Type.Integer(), Type.Null()]),
    date_created: Type.Union([Type.Integer({ description: 'UNIX seconds.' }), Type.Null()]),
    is_archived: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type ChannelFolder = Static<typeof ChannelFolder>
