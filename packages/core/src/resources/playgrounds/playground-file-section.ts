import { Type } from 'typebox'

import { closed, defineFileSection, FileId } from '../file-sections/index.js'
import { PlaygroundRepository } from './playground-repository.js'
import { languagePattern, requireValidPlayground } from './playground-rules.js'

const FilePlayground = Type.Object(
  {
    id: Type.Optional(FileId),
    name: Type.String({ maxLength: 200 }),
    pygments_language: Type.String({ maxLength: 40, pattern: languagePattern.source }),
    url_template: Type.String({ maxLength: 10_000, description: 'With the variable `code`.' }),
  },
  closed,
)

export const playgroundFile = defineFileSection({
  key: 'playgrounds',
  summary: 'Sites where code blocks can be run.',
  item: FilePlayground,
  table: 'playgrounds',
  store: PlaygroundRepository,
  rows: () => (item) => item,
  async check(items, check) {
    const name = check.once()
    for await (const { place, item } of items) {
      name(`${place}/name`, `${item.pygments_language}/${item.name}`, item.name)
      check.requireRule(place, () => requireValidPlayground(item, false))
    }
  },
})
