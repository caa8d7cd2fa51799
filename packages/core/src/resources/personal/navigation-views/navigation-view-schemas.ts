import { Type, type Static } from 'typebox'

/** The configuration of one view of the client. */
export const NavigationView = Type.Object({
  fragment: Type.String({ description: 'The part of the URL after `#`; identifies the view.' }),
  is_pinned: Type.Boolean({
    description: 'Whether the view is in the sidebar rather than in a menu.',
  }),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Null for built-in views.' }),
})
export type NavigationView = Static<typeof NavigationView>
