import { Type } from 'typebox'

import { limits } from '../../../domain/limits.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { channelFolders } from './channel-folders-table.js'
import { requireFolderName } from './channel-folder-service.js'

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

export const channelFolderFile = defineFileSection({
  key: 'channel_folders',
  summary: 'The folders that the `folder_id` of channels refers to, in display order.',
  item: FileChannelFolder,
  rowsOf: channelFolders,
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
