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
import { NavigationViewRepository } from './navigation-view-repository.js'
import { requireConsistentView } from './navigation-view-service.js'

const FileView = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    fragment: Type.String({ minLength: 1, maxLength: 10_000 }),
    is_pinned: Type.Boolean(),
    name: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
        description: 'None for built-in views.',
      }),
    ),
  },
  closed,
)
type FileView = Static<typeof FileView>

/** Stores the navigation views of an organization file. */
@perServer()
class NavigationViewFileLoader implements FileSectionLoader<FileView> {
  constructor(@inject(NavigationViewRepository) private readonly views: NavigationViewRepository) {}

  async load(tx: Transaction, items: readonly FileView[]): Promise<void> {
    const rows = items.map((item) => ({ ...item, name: item.name ?? null }))
    for (const chunk of chunksOf(inOrderOfIds(rows))) await this.views.insertMany(tx, chunk)
  }
}

export const navigationViewFile = defineFileSection({
  key: 'navigation_views',
  summary: 'How users want views of their client to be offered.',
  item: FileView,
  table: 'navigation_views',
  loader: NavigationViewFileLoader,
  async check(items, check) {
    const [id, fragment, name] = [check.once(), check.once(), check.once()]
    for await (const { place, item } of items) {
      if (item.id !== undefined) id(`${place}/id`, item.id)
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      fragment(`${place}/fragment`, `${item.user_id} ${item.fragment}`, item.fragment)
      const view = { ...item, name: item.name ?? null }
      if (view.name !== null) name(`${place}/name`, `${item.user_id} ${view.name}`, view.name)
      check.requireRule(`${place}/name`, () => requireConsistentView(view))
    }
  },
})
