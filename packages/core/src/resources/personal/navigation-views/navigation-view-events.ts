import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

/** The configuration of one view of the client. */
export const NavigationView = Type.Object({
  fragment: Type.String({ description: 'The part of the URL after `#`; identifies the view.' }),
  is_pinned: Type.Boolean({
    description: 'Whether the view is in the sidebar rather than in a menu.',
  }),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Null for built-in views.' }),
})
export type NavigationView = Static<typeof NavigationView>

export const navigationViewAdded = defineEvent({
  type: 'navigation_view',
  op: 'add',
  decidesNothing: true,
  summary: 'A navigation view was configured. Sent to its owner.',
  payload: Type.Object({ navigation_view: NavigationView }),
})

export const navigationViewUpdated = defineEvent({
  type: 'navigation_view',
  op: 'update',
  decidesNothing: true,
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
  decidesNothing: true,
  summary: 'The configuration of a navigation view was deleted. Sent to its owner.',
  payload: Type.Object({ fragment: Type.String() }),
})
