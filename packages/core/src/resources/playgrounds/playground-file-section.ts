import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  type FileSectionLoader,
  inOrderOfIds,
} from '../file-sections/index.js'
import { PlaygroundRepository } from './playground-repository.js'
import { languagePattern, requireValidPlayground } from './playground-rules.js'

const FilePlayground = Type.Object(
  {
    id: Type.Optional(FileId),
    name: Type.String({ maxLength: 200 }),
    pygments_language: Type.String({ maxLength: 40, pattern: languagePattern.source }),
    url_template: Type.String({ maxLength: 10_000, description: 'With the variable `code`.' }),
  },
  closed,
)
type FilePlayground = Static<typeof FilePlayground>

/** Stores the playgrounds of an organization file. */
@perServer()
class PlaygroundFileLoader implements FileSectionLoader<FilePlayground> {
  constructor(@inject(PlaygroundRepository) private readonly playgrounds: PlaygroundRepository) {}

  async load(tx: Transaction, items: readonly FilePlayground[]): Promise<void> {
    for (const chunk of chunksOf(inOrderOfIds(items))) {
      await this.playgrounds.insertMany(tx, chunk)
    }
  }
}

export const playgroundFile = defineFileSection({
  key: 'playgrounds',
  summary: 'Sites where code blocks can be run.',
  item: FilePlayground,
  table: 'playgrounds',
  loader: PlaygroundFileLoader,
  async check(items, check) {
    const [id, name] = [check.once(), check.once()]
    for await (const { place, item } of items) {
      if (item.id !== undefined) id(`${place}/id`, item.id)
      name(`${place}/name`, `${item.pygments_language}/${item.name}`, item.name)
      check.requireRule(place, () => requireValidPlayground(item, false))
    }
  },
})
