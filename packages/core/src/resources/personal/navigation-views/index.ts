import { type Static, Type } from 'typebox'

import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import {
  NavigationView,
  navigationViewAdded,
  navigationViewRemoved,
  navigationViewUpdated,
} from './navigation-view-events.js'
import {
  hashOfFragment,
  maxFragmentLength,
  maxViewNameLength,
  NavigationViewService,
  requireConsistentView,
} from './navigation-view-service.js'
import { navigationViews as table } from './navigation-views-table.js'

const Name = Type.Optional(
  Type.Union([Type.String({ maxLength: maxViewNameLength }), Type.Null()], { trim: true }),
)
const FragmentInPath = Type.String({ trim: true, restOfPath: true, maxLength: maxFragmentLength })

const getNavigationViews = defineOperation({
  id: 'get-navigation-views',
  summary: 'List the navigation views that the acting user has configured.',
  method: 'GET',
  path: '/navigation_views',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object({ navigation_views: Type.Array(NavigationView) }),
  errors: [],
  service: NavigationViewService,
  async handle(views, { actor }) {
    return { navigation_views: await views.list(actor) }
  },
})

const addNavigationView = defineCommand({
  id: 'add-navigation-view',
  summary: 'Configure a navigation view: a built-in view, or a custom view with a name.',
  method: 'POST',
  path: '/navigation_views',
  access: 'user',
  isPersonal: true,
  params: {
    fragment: Type.String({ trim: true, refuseBlank: true, maxLength: maxFragmentLength }),
    is_pinned: Type.Boolean(),
    name: Name,
  },
  errors: ['BAD_REQUEST'],
  service: NavigationViewService,
  handle: (views, { actor, params: { fragment, is_pinned, name } }) =>
    views.add(actor, { fragment, is_pinned, name: name === '' ? null : (name ?? null) }),
})

const editNavigationView = defineCommand({
  id: 'edit-navigation-view',
  summary: 'Rename, pin or unpin a navigation view.',
  method: 'PATCH',
  path: '/navigation_views/{fragment}',
  access: 'user',
  isPersonal: true,
  params: { fragment: FragmentInPath, is_pinned: Type.Optional(Type.Boolean()), name: Name },
  errors: ['BAD_REQUEST', 'OBJECT_NOT_FOUND'],
  service: NavigationViewService,
  handle: (views, { actor, params: { fragment, is_pinned, name } }) =>
    views.edit(actor, fragment, {
      ...(is_pinned === undefined ? {} : { is_pinned }),
      // Null is the same as undefined: the name of a view cannot be removed.
      ...(name === undefined || name === null ? {} : { name }),
    }),
})

const removeNavigationView = defineCommand({
  id: 'remove-navigation-view',
  summary: 'Delete the configuration of a navigation view.',
  method: 'DELETE',
  path: '/navigation_views/{fragment}',
  access: 'user',
  isPersonal: true,
  params: { fragment: FragmentInPath },
  errors: ['OBJECT_NOT_FOUND'],
  service: NavigationViewService,
  handle: (views, { actor, params }) => views.remove(actor, params.fragment),
})

const navigationViewSnapshot = defineSnapshot({
  keys: { navigation_views: Type.Array(NavigationView) },
  fetchType: 'navigation_views',
  service: NavigationViewService,
  async load(views, context) {
    return { navigation_views: await views.list(context.actor, context.scope) }
  },
})

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

const navigationViewFile = defineFileSection({
  key: 'navigation_views',
  summary: 'Built-in and custom navigation views that users have configured.',
  item: FileView,
  rowsOf: table,
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

export const navigationViews = defineResource({
  operations: [getNavigationViews, addNavigationView, editNavigationView, removeNavigationView],
  events: [navigationViewAdded, navigationViewUpdated, navigationViewRemoved],
  snapshot: navigationViewSnapshot,
  fileSection: navigationViewFile,
})
