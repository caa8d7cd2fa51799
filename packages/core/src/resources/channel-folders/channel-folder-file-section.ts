import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { foldCase } from '../../domain/folding.js'
import { limits } from '../../domain/limits.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  type FileLoading,
  FileSeconds,
  type FileSectionLoader,
} from '../file-sections/index.js'
import { ChannelFolderRepository } from './channel-folder-repository.js'
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
type FileChannelFolder = Static<typeof FileChannelFolder>

/** Stores the channel folders of an organization file, in their order. */
@perServer()
class ChannelFolderFileLoader implements FileSectionLoader<FileChannelFolder> {
  constructor(@inject(ChannelFolderRepository) private readonly folders: ChannelFolderRepository) {}

  async load(
    tx: Transaction,
    items: readonly FileChannelFolder[],
    { createdAtSeconds, render }: FileLoading,
  ): Promise<void> {
    const rows = items.map((item, position) => {
      const { id, name, is_archived = false, creator_id = null } = item
      const description = (item.description ?? '').trim()
      return {
        id,
        name: name.trim(),
        description,
        rendered_description:
          description === '' ? '' : render(creator_id ?? 0, description, { showsPreviews: false }),
        position,
        creator_id,
        created_at_seconds: item.created_at_seconds ?? createdAtSeconds,
        is_archived,
      }
    })
    for (const chunk of chunksOf(rows)) await this.folders.insertMany(tx, chunk)
  }
}

export const channelFolderFile = defineFileSection({
  key: 'channel_folders',
  summary: 'What channels are sorted into by their `folder_id`, in the order in which it is shown.',
  item: FileChannelFolder,
  table: 'channel_folders',
  loader: ChannelFolderFileLoader,
  async check(items, check) {
    const [id, name] = [check.once(), check.once()]
    for await (const { place, item } of items) {
      id(`${place}/id`, item.id)
      const text = item.name.trim()
      name(`${place}/name`, foldCase(text), text)
      check.requireRule(`${place}/name`, () => requireFolderName(text))
      if (item.creator_id !== undefined) {
        check.requireKnown(`${place}/creator_id`, 'user', item.creator_id)
      }
    }
  },
})
