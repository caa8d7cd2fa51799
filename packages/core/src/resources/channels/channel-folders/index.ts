import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import {
  ChannelFolder,
  channelFolderAdded,
  channelFoldersReordered,
  channelFolderUpdated,
} from './channel-folder-events.js'
import { ChannelFolderService, requireFolderName } from './channel-folder-service.js'
import { channelFolders as table } from './channel-folders-table.js'

export { ChannelFolderService } from './channel-folder-service.js'

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

const createChannelFolder = defineOperation({
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

const getChannelFolders = defineOperation({
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

const reorderChannelFolders = defineCommand({
  id: 'patch-channel-folders',
  summary: 'Change the display order of the channel folders.',
  method: 'PATCH',
  path: '/channel_folders',
  access: 'administrator',
  params: {
    order: Bounded.ids({ description: 'All ids, including those of archived folders.' }),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ChannelFolderService,
  handle: (folders, { actor, params }) => folders.reorder(actor, params.order),
})

const updateChannelFolder = defineCommand({
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
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ChannelFolderService,
  handle: (folders, { actor, params }) =>
    folders.update(actor, params.channel_folder_id, {
      name: params.name,
      description: params.description,
      isArchived: params.is_archived,
    }),
})

/** All channel folders, including archived ones. */
const channelFolderSnapshot = defineSnapshot({
  keys: { channel_folders: Type.Array(ChannelFolder) },
  fetchType: 'channel_folders',
  service: ChannelFolderService,
  async load(folders, context) {
    return { channel_folders: await folders.list(context.scope) }
  },
})

const FileChannelFolder = Type.Object(
  {
    id: FileId,
    name: Type.String({ maxLength: limits.maxChannelFolderNameLength }),
    description: Type.Optional(
      Type.String({
        maxLength: limits.maxChannelFolderDescriptionLength,
        description: 'Markdown.',
      }),
    ),
    creator_id: Type.Optional(FileId),
    created_at_seconds: Type.Optional(FileSeconds),
    is_archived: Type.Optional(Type.Boolean()),
  },
  closed,
)

const channelFolderFile = defineFileSection({
  key: 'channel_folders',
  summary: 'The folders that the `folder_id` of channels refers to, in display order.',
  item: FileChannelFolder,
  rowsOf: table,
  rows:
    ({ createdAtSeconds, render }) =>
    (item, position) => {
      const { id, name, is_archived = false, creator_id = null } = item
      const description = (item.description ?? '').trim()
      return {
        id,
        name: name.trim(),
        name_key: foldCase(name.trim()),
        description,
        rendered_description:
          description === '' ? '' : render(creator_id ?? 0, description, { isDescription: true }),
        position,
        creator_id,
        created_at_seconds: item.created_at_seconds ?? createdAtSeconds,
        is_archived,
      }
    },
  async check(items, check) {
    const name = check.once()
    for await (const { place, item } of items) {
      const text = item.name.trim()
      name(`${place}/name`, foldCase(text), text)
      check.requireRule(`${place}/name`, () => requireFolderName(text))
      if (item.creator_id !== undefined) {
        check.requireKnown(`${place}/creator_id`, 'user', item.creator_id)
      }
    }
  },
})

export const channelFolders = defineResource({
  operations: [createChannelFolder, getChannelFolders, reorderChannelFolders, updateChannelFolder],
  events: [channelFolderAdded, channelFolderUpdated, channelFoldersReordered],
  snapshot: channelFolderSnapshot,
  fileSection: channelFolderFile,
})
