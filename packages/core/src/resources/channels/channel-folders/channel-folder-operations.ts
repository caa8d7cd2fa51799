import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { defineOperation } from '../../../http/operation.js'
import { ChannelFolder } from './channel-folder-schemas.js'
import { ChannelFolderService } from './channel-folder-service.js'

const Name = Type.String({
  trim: true,
  maxLength: limits.maxChannelFolderNameLength,
  contentKind: 'channelFolder.name',
})
const descriptionKeywords = {
  trim: true,
  maxLength: limits.maxChannelFolderDescriptionLength,
  contentKind: 'channelFolder.description',
} as const

export const createChannelFolder = defineOperation({
  id: 'create-channel-folder',
  summary: 'Create a channel folder.',
  method: 'POST',
  path: '/channel_folders/create',
  access: 'administrator',
  params: { name: Name, description: Type.String({ ...descriptionKeywords, default: '' }) },
  response: Type.Object({ channel_folder_id: Type.Integer() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ChannelFolderService,
  handle: async (folders, { actor, params }) => ({
    channel_folder_id: await folders.create(actor, params.name, params.description),
  }),
})

export const getChannelFolders = defineOperation({
  id: 'get-channel-folders',
  summary: 'List the channel folders in display order.',
  method: 'GET',
  path: '/channel_folders',
  access: 'user',
  params: { include_archived: Type.Boolean({ default: false }) },
  response: Type.Object({ channel_folders: Type.Array(ChannelFolder) }),
  errors: [],
  service: ChannelFolderService,
  handle: async (folders, { actor, params }) => ({
    channel_folders: await folders.listFor(actor, params.include_archived),
  }),
})

export const reorderChannelFolders = defineOperation({
  id: 'patch-channel-folders',
  summary: 'Change the display order of the channel folders.',
  method: 'PATCH',
  path: '/channel_folders',
  access: 'administrator',
  params: {
    order: Bounded.ids({ description: 'All ids, including those of archived folders.' }),
  },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ChannelFolderService,
  async handle(folders, { actor, params }) {
    await folders.reorder(actor, params.order)
    return {}
  },
})

export const updateChannelFolder = defineOperation({
  id: 'update-channel-folder',
  summary: 'Rename, describe, archive or restore a channel folder.',
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id}',
  access: 'administrator',
  params: {
    channel_folder_id: Bounded.id(),
    name: Type.Optional(Name),
    description: Type.Optional(Type.String(descriptionKeywords)),
    is_archived: Type.Optional(Type.Boolean()),
  },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ChannelFolderService,
  async handle(folders, { actor, params }) {
    await folders.update(actor, params.channel_folder_id, {
      name: params.name,
      description: params.description,
      isArchived: params.is_archived,
    })
    return {}
  },
})
