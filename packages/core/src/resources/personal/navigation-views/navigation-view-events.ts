import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { NavigationView } from './navigation-view-schemas.js'

export const navigationViewAdded = defineEvent({
  type: 'navigation_view',
  op: 'add',
  summary: 'A navigation view was configured. Sent to its owner.',
  payload: Type.Object({ navigation_view: NavigationView }),
})

export const navigationViewUpdated = defineEvent({
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

export const navigationViewRemoved = defineEvent({
  type: 'navigation_view',
  op: 'remove',
  summary: 'The configuration of a navigation view was deleted. Sent to its owner.',
  payload: Type.Object({ fragment: Type.String() }),
})
