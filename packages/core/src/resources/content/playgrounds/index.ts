import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { Playground, playgroundsChanged } from './playground-events.js'
import { languagePattern, requireValidPlayground } from './playground-rules.js'
import { PlaygroundService } from './playground-service.js'
import { playgrounds as table } from './playgrounds-table.js'

const addCodePlayground = defineOperation({
  id: 'add-code-playground',
  summary: 'Add a code playground: a site that runs code blocks of a language.',
  method: 'POST',
  path: '/realm/playgrounds',
  access: 'administrator',
  params: {
    name: Type.String({
      trim: true,
      maxLength: table.columns.name.maxLength,
      contentKind: 'playground.name',
    }),
    pygments_language: Type.String({
      trim: true,
      maxLength: table.columns.pygments_language.maxLength,
    }),
    url_template: Type.String({
      trim: true,
      maxLength: 10_000,
      description:
        'RFC 6570 template with the variable `code`; begins with `https://` or `http://`.',
    }),
  },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'VALIDATION_FAILED'],
  service: PlaygroundService,
  async handle(playgrounds, { actor, params }) {
    return { id: await playgrounds.add(actor, params) }
  },
})

const removeCodePlayground = defineCommand({
  id: 'remove-code-playground',
  summary: 'Remove a code playground.',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  access: 'administrator',
  params: { playground_id: Bounded.id() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: PlaygroundService,
  handle: (playgrounds, { actor, params }) => playgrounds.remove(actor, params.playground_id),
})

const playgroundSnapshot = defineSnapshot({
  keys: { realm_playgrounds: Type.Array(Playground) },
  fetchType: 'realm_playgrounds',
  service: PlaygroundService,
  async load(playgrounds, context) {
    return { realm_playgrounds: await playgrounds.list(context.scope) }
  },
})

const FilePlayground = Type.Object(
  {
    id: Type.Optional(FileId),
    name: Type.String({ maxLength: table.columns.name.maxLength }),
    pygments_language: Type.String({
      maxLength: table.columns.pygments_language.maxLength,
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

const playgroundFile = defineFileSection({
  key: 'playgrounds',
  summary: 'Sites where code blocks can be run.',
  item: FilePlayground,
  rowsOf: table,
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

export const playgrounds = defineResource({
  operations: [addCodePlayground, removeCodePlayground],
  events: [playgroundsChanged],
  snapshot: playgroundSnapshot,
  fileSection: playgroundFile,
})
