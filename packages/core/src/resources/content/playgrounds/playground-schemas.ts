import { Type, type Static } from 'typebox'

/** A web site that runs code of one language. */
export const Playground = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  pygments_language: Type.String(),
  url_template: Type.String({ description: 'RFC 6570 template; its only variable is `code`.' }),
})
export type Playground = Static<typeof Playground>
