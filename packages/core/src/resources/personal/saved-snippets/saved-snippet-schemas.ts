import { Type, type Static } from 'typebox'

/** A text that its owner can insert into messages. */
export const SavedSnippet = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  content: Type.String({ description: 'Markdown.' }),
  date_created: Type.Integer({ description: 'UNIX seconds; never changes.' }),
})
export type SavedSnippet = Static<typeof SavedSnippet>
