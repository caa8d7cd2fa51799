import { Type, type Static } from 'typebox'

import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { hashOfFragment } from './navigation-view-repository.js'
import { navigationViews } from './navigation-views-table.js'
import {
  maxFragmentLength,
  maxViewNameLength,
  requireConsistentView,
} from './navigation-view-service.js'

const FileView = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    fragment: Type.String({ pattern: '\\S', maxLength: maxFragmentLength }),
    is_pinned: Type.Boolean(),
    name: Type.Optional(
      Type.Union([Type.String({ pattern: '\\S', maxLength: maxViewNameLength }), Type.Null()], {
        description: 'Absent or null for built-in views.',
      }),
    ),
  },
  closed,
)
type FileView = Static<typeof FileView>

export const navigationViewFile = defineFileSection({
  key: 'navigation_views',
  summary: 'Built-in and custom navigation views that users have configured.',
  item: FileView,
  rowsOf: navigationViews,
  rows: () => (item) => {
    const view = trimmed(item)
    return { ...view, fragment_hash: hashOfFragment(view.fragment) }
  },
  async check(items, check) {
    const [fragment, name] = [check.once(), check.once()]
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      const view = trimmed(item)
      fragment(`${place}/fragment`, `${item.user_id} ${view.fragment}`, view.fragment)
      if (view.name !== null) name(`${place}/name`, `${item.user_id} ${view.name}`, view.name)
      check.requireRule(place, () => requireConsistentView(view))
    }
  },
})

function trimmed(item: FileView) {
  return { ...item, fragment: item.fragment.trim(), name: item.name?.trim() ?? null }
}
