import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

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

/** A change to a folder: one in each event. */
export type ChannelFolderChange =
  | { readonly name: string }
  | { readonly description: string; readonly rendered_description: string }
  | { readonly is_archived: boolean }

const closed = { additionalProperties: false } as const

export const channelFolderAdded = defineEvent({
  type: 'channel_folder',
  op: 'add',
  summary: 'A channel folder was created. Sent to all active users.',
  payload: Type.Object({ channel_folder: ChannelFolder }),
})

export const channelFolderUpdated = defineEvent<{
  channel_folder_id: number
  data: ChannelFolderChange
}>({
  type: 'channel_folder',
  op: 'update',
  summary: 'A channel folder was changed, archived or restored. Sent to all active users.',
  payload: Type.Object({
    channel_folder_id: Type.Integer(),
    data: Type.Union([
      Type.Object({ name: Type.String() }, closed),
      Type.Object({ description: Type.String(), rendered_description: Type.String() }, closed),
      Type.Object({ is_archived: Type.Boolean() }, closed),
    ]),
  }),
})

export const channelFoldersReordered = defineEvent({
  type: 'channel_folder',
  op: 'reorder',
  summary: 'The order of the channel folders has changed; lists all ids. Sent to all active users.',
  payload: Type.Object({ order: Type.Array(Type.Integer()) }),
})
