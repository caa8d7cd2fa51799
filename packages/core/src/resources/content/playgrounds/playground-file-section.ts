import { Type, type Static } from 'typebox'

import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { playgrounds } from './playgrounds-table.js'
import { languagePattern, requireValidPlayground } from './playground-rules.js'

const FilePlayground = Type.Object(
  {
    id: Type.Optional(FileId),
    name: Type.String({ maxLength: playgrounds.columns.name.maxLength }),
    pygments_language: Type.String({
      maxLength: playgrounds.columns.pygments_language.maxLength,
      pattern: languagePattern.source,
    }),
    url_template: Type.String({
      maxLength: 10_000,
      description: 'A URL template with the variable `code`; begins with `https://` or `http://`.',
    }),
  },
  closed,
)
type FilePlayground = Static<typeof FilePlayground>

export const playgroundFile = defineFileSection({
  key: 'playgrounds',
  summary: 'Sites where code blocks can be run.',
  item: FilePlayground,
  rowsOf: playgrounds,
  rows: () => trimmed,
  async check(items, check) {
    const name = check.once()
    for await (const { place, item } of items) {
      const playground = trimmed(item)
      const { pygments_language, name: shown } = playground
      name(`${place}/name`, JSON.stringify([pygments_language, shown]), shown)
      check.requireRule(place, () => requireValidPlayground(playground, false))
    }
  },
})

function trimmed(item: FilePlayground): FilePlayground {
  return {
    ...item,
    name: item.name.trim(),
    pygments_language: item.pygments_language.trim(),
    url_template: item.url_template.trim(),
  }
}
