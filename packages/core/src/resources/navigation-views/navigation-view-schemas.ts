import { Type, type Static } from 'typebox'

/** How a user wants one view of the client to be offered. */
export const NavigationView = Type.Object({
  fragment: Type.String({ description: 'The part of the address after `#`; names the view.' }),
  is_pinned: Type.Boolean({ description: 'Whether it is in the sidebar, not in a menu.' }),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Null for built-in views.' }),
})
export type NavigationView = Static<typeof NavigationView>
