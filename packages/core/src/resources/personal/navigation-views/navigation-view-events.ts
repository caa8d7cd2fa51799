import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { NavigationView } from './navigation-view-schemas.js'

export const navigationViewAdded = defineEvent<{ navigation_view: NavigationView }>({
  type: 'navigation_view',
  op: 'add',
  summary: 'A navigation view was configured. Sent to its owner.',
  payload: Type.Object({ navigation_view: NavigationView }),
})

export const navigationViewUpdated = defineEvent<{
  fragment: string
  data: { name?: string; is_pinned?: boolean }
}>({
  type: 'navigation_view',
  op: 'update',
  summary:
    'A navigation view was changed; `data` contains the parameters of the request. Sent to its owner.',
  payload: Type.Object({
    fragment: Type.String(),
    data: Type.Object({
      name: Type.Optional(Type.String()),
      is_pinned: Type.Optional(Type.Boolean()),
    }),
  }),
})

export const navigationViewRemoved = defineEvent<{ fragment: string }>({
  type: 'navigation_view',
  op: 'remove',
  summary: 'The configuration of a navigation view was deleted. Sent to its owner.',
  payload: Type.Object({ fragment: Type.String() }),
})
