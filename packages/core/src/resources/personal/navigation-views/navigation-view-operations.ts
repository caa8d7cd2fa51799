import { Type } from 'typebox'

import { defineOperation } from '../../../http/operation.js'
import { NavigationView } from './navigation-view-schemas.js'
import {
  maxFragmentLength,
  maxViewNameLength,
  NavigationViewService,
} from './navigation-view-service.js'

const Name = Type.Optional(
  Type.Union([Type.String({ maxLength: maxViewNameLength }), Type.Null()], { trim: true }),
)
const FragmentInPath = Type.String({ trim: true, restOfPath: true, maxLength: maxFragmentLength })

export const getNavigationViews = defineOperation({
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

export const addNavigationView = defineOperation({
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
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: NavigationViewService,
  async handle(views, { actor, params: { fragment, is_pinned, name } }) {
    await views.add(actor, { fragment, is_pinned, name: name === '' ? null : (name ?? null) })
    return {}
  },
})

export const editNavigationView = defineOperation({
  id: 'edit-navigation-view',
  summary: 'Rename, pin or unpin a navigation view.',
  method: 'PATCH',
  path: '/navigation_views/{fragment}',
  access: 'user',
  isPersonal: true,
  params: { fragment: FragmentInPath, is_pinned: Type.Optional(Type.Boolean()), name: Name },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'OBJECT_NOT_FOUND'],
  service: NavigationViewService,
  async handle(views, { actor, params: { fragment, is_pinned, name } }) {
    await views.edit(actor, fragment, {
      ...(is_pinned === undefined ? {} : { is_pinned }),
      // Null is the same as undefined: the name of a view cannot be removed.
      ...(name === undefined || name === null ? {} : { name }),
    })
    return {}
  },
})

export const removeNavigationView = defineOperation({
  id: 'remove-navigation-view',
  summary: 'Delete the configuration of a navigation view.',
  method: 'DELETE',
  path: '/navigation_views/{fragment}',
  access: 'user',
  isPersonal: true,
  params: { fragment: FragmentInPath },
  response: Type.Object({}),
  errors: ['OBJECT_NOT_FOUND'],
  service: NavigationViewService,
  async handle(views, { actor, params }) {
    await views.remove(actor, params.fragment)
    return {}
  },
})
