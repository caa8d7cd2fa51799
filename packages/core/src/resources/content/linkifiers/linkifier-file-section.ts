import { Type, type Static } from 'typebox'

import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { linkifiers } from './linkifiers-table.js'
import { maxPatternLength, maxTemplateLength, requireUsableLinkifier } from './linkifier-rules.js'

const FileLinkifier = Type.Object(
  {
    id: Type.Optional(FileId),
    pattern: Type.String({
      maxLength: maxPatternLength,
      description: 'RE2 syntax with named groups.',
    }),
    url_template: Type.String({
      maxLength: maxTemplateLength,
      description: 'RFC 6570; the variables are the names of the groups.',
    }),
  },
  closed,
)
/** A linkifier of an organization file. */
type FileLinkifier = Static<typeof FileLinkifier>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    linkifiers: FileLinkifier
  }
}

export const linkifierFile = defineFileSection({
  key: 'linkifiers',
  summary: 'Patterns that are converted to links, in matching order.',
  item: FileLinkifier,
  rowsOf: linkifiers,
  rows: () => (item, position) => ({ ...item, position }),
  async check(items, check) {
    const pattern = check.once()
    for await (const { place, item } of items) {
      pattern(`${place}/pattern`, item.pattern)
      check.requireRule(place, () => requireUsableLinkifier(item.pattern, item.url_template))
    }
  },
})
