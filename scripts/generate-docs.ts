/**
 * Writes the files of docs/ that follow from the code: operations, events, errors, the
 * organization file, Markdown and the OpenAPI document; and in pages, the programs that tests run.
 * `--check` writes nothing and fails if a page is not what it would write.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// First: the container's decorators need what it loads.
import '../packages/core/src/index.js'
import { errorKinds, type ErrorKind } from '../packages/core/src/errors/index.js'
import type { Operation } from '../packages/core/src/http/operation.js'
import { renderMarkdown } from '../packages/core/src/markdown/index.js'
import {
  OrganizationFileFormat,
  organizationFileSchema,
} from '../packages/core/src/resources/administration/import/index.js'
import {
  allEvents,
  allFileSections,
  allOperations,
  allSnapshots,
} from '../packages/core/src/resources/index.js'
import { describeApi, withParameterDescriptions } from '../packages/core/src/server/describe-api.js'
import { operationGroups } from '../packages/core/src/server/disabled-operations.js'
import { englishErrorTexts } from '../packages/core/src/texts/english/index.js'
import {
  botMessageTexts,
  mailTexts,
  pageTexts,
  pushTexts,
} from '../packages/core/src/texts/english/notifications.js'
import { englishTexts, isTextName } from '../packages/core/src/texts/index.js'

import { exampleContext, settings } from '../test/unit/markdown/example-context.js'
import { examples, type RenderExample } from '../test/unit/markdown/examples.js'
import {
  applicationApi,
  applicationEventTypes,
  errorCodes,
  eventTypes,
  httpOperationShapes,
  operationCalls,
  operationShapes,
  operationTable,
} from './api-types.js'
import { withPrograms } from './documented-programs.js'
import { withTables } from './documented-tables.js'
import { page, table } from './markdown-page.js'
import { operationTestsPage } from './operation-tests-page.js'
import { operationsPage } from './operations-page.js'
import { typeText, type JsonSchema } from './schema-text.js'

const root = new URL('..', import.meta.url).pathname

interface GeneratedFile {
  readonly path: string
  readonly text: string
}

const pages: readonly GeneratedFile[] = [
  { path: 'docs/operations.md', text: operationsPageText() },
  {
    path: 'docs/operation-tests.md',
    text: page('Tests of the operations', operationTestsPage(allOperations)),
  },
  { path: 'docs/events.md', text: eventsPage() },
  { path: 'docs/errors.md', text: errorsPage() },
  { path: 'docs/texts.md', text: textsPage() },
  { path: 'docs/organization-file.md', text: organizationFilePage() },
  { path: 'docs/markdown.md', text: markdownPage() },
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .filter((path) =>
      /^<!-- (Program: |\w+: written from )/m.test(readFileSync(join(root, path), 'utf8')),
    )
    .map((path) => ({ path, text: withTables(root, withPrograms(root, path)) })),
  { path: 'docs/openapi.json', text: openApiDocument() },
  {
    path: 'packages/wire/src/operations.generated.ts',
    text: operationShapes(describedOperations(), sharedSchemas()),
  },
  {
    path: 'packages/wire/src/http-operations.generated.ts',
    text: httpOperationShapes(describedOperations()),
  },
  { path: 'packages/wire/src/calls.generated.ts', text: operationCalls(describedOperations()) },
  { path: 'packages/wire/src/events.generated.ts', text: eventTypes(allEvents) },
  {
    path: 'packages/wire/src/application-events.generated.ts',
    text: applicationEventTypes(allEvents),
  },
  {
    path: 'packages/core/src/server/api-types.generated.ts',
    text: applicationApi(allOperations, operationGroups),
  },
  { path: 'packages/client/src/operations.generated.ts', text: operationTable(allOperations) },
  { path: 'packages/client/src/errors.generated.ts', text: errorCodes(allOperations) },
]

const isCheck = process.argv.includes('--check')
let stale = 0
for (const { path, text } of pages) {
  const file = join(root, path)
  const known = readIfThere(file)
  if (known === text) continue
  stale += 1
  if (isCheck) console.error(`${path} is not what the code says; run pnpm docs:generate`)
  else writeFileSync(file, text)
}
if (isCheck && stale > 0) process.exitCode = 1

/** With the address that all the examples have. */
function openApiDocument(): string {
  const document = describeApi('https://chat.example', {
    operations: allOperations,
    events: allEvents,
    snapshots: allSnapshots,
  })
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The schemas of the OpenAPI document that operations refer to. */
function sharedSchemas(): Record<string, JsonSchema> {
  const { components } = describeApi('/', {
    operations: allOperations,
    events: allEvents,
    snapshots: allSnapshots,
  }) as {
    components: { schemas: Record<string, JsonSchema> }
  }
  const { NarrowTerm = {}, QueueTerm = {}, Registration = {} } = components.schemas
  return { NarrowTerm, QueueTerm, Registration }
}

function operationsPageText(): string {
  return page('Operations', operationsPage(describedOperations(), sharedSchemas()))
}

function describedOperations(): readonly Operation[] {
  return withParameterDescriptions(allOperations)
}

function eventsPage(): string {
  const rows = [...allEvents]
    .sort((a, b) => a.kind.localeCompare(b.kind))
    .map((event) => [
      `\`${event.type}\``,
      event.op === undefined ? '' : `\`${event.op}\``,
      event.summary,
      fieldNames(event.payload),
    ])
  return page(
    'Events',
    'What clients read from an event queue. Every event has `id` and `type`; the fields are those besides them and `op`.',
    table(['type', 'op', 'what happened, and who hears it', 'fields'], rows),
  )
}

function errorsPage(): string {
  const rows = Object.entries(errorKinds).map(([name, kind]) => {
    const row = kind as ErrorKind<object>
    return [
      `\`${name}\``,
      String(row.status),
      `\`${row.code ?? name}\``,
      `${defaultTextOf(name, row) ?? 'given where it happens'}${row.isOfApplication ? ' (only in calls of the application)' : ''}`,
    ]
  })
  return page(
    'Errors',
    'An error is JSON with `result` `"error"`, `msg` for people, `code` for programs, and the extra fields of its kind.',
    table(['kind', 'status', 'code', 'message'], rows),
    '## Texts',
    'Every text has a name, the `reason` of a `ChatError`, and keeps it when the text changes. Clients get the text in their [language](languages.md), never the name. A text in braces stands for a value; the texts without a sentence are values of others.',
    table(
      ['name', 'text'],
      Object.entries(englishErrorTexts).map(([name, text]) => [`\`${name}\``, text]),
    ),
  )
}

function textsPage(): string {
  const groups = {
    'Messages of the notification bot and the welcome bot': botMessageTexts,
    'Push notifications': pushTexts,
    Mails: mailTexts,
    Pages: pageTexts,
  }
  return page(
    'Texts',
    'The texts that the server writes besides those of [errors](errors.md#texts), by the names that [languages and `texts.translate`](languages.md) know. A text in braces stands for a value, `\\n` for the end of a line. Messages are Markdown; all others are plain text, which becomes HTML in pages and mails.',
    ...Object.entries(groups).map(([title, texts]) => {
      const rows = Object.entries(texts).map(([name, text]) => {
        return [`\`${name}\``, `\`${text.replaceAll('\n', '\\n')}\``]
      })
      return `## ${title}\n\n${table(['name', 'text'], rows)}`
    }),
  )
}

function organizationFilePage(): string {
  const schema = organizationFileSchema(new OrganizationFileFormat(allFileSections))
  const sections = Object.entries((schema as unknown as JsonSchema).properties ?? {})
  const parts = sections.map(([name, schema]) => {
    const item = itemOf(schema)
    const required = new Set(item.required ?? [])
    const rows = Object.entries(item.properties ?? {}).map(([key, field]) => [
      `\`${key}\``,
      typeText(field),
      required.has(key) ? 'yes' : '',
      field.description ?? '',
    ])
    return `## \`${name}\`\n\n${table(['key', 'type', 'required', 'meaning'], rows)}`
  })
  return page(
    'The organization file',
    'One JSON document that describes a whole organization with explicit ids. `chat.organizations.load(file)` and the option `--organization FILE` of the examples create it, all of it or nothing; a file with mistakes is refused with the list of all of them.',
    parts.join('\n\n'),
  )
}

function markdownPage(): string {
  const groups = new Map<string, RenderExample[]>()
  for (const example of examples.examples) {
    const list = groups.get(example.group) ?? []
    list.push(example)
    groups.set(example.group, list)
  }
  const parts = [...groups].map(([group, list]) => {
    const shown = list.map(
      (example) => `${fenced(example.input)}\n\n${fenced(rendered(example), 'html')}`,
    )
    return `## ${group.replaceAll('_', ' and ')}\n\n${shown.join('\n\n')}`
  })
  return page(
    'Markdown',
    'The dialect of messages, by example: a text, and the HTML that clients are given. Mathematics is the HTML of KaTeX and is shortened here. `renderMessage(text, options)` of `@parley/core/markdown` renders a text outside of any message; `collectReferences(text)` names what it will look up.',
    parts.join('\n\n'),
  )
}

/** What the code makes of an example today. */
function rendered(example: RenderExample): string {
  const { html } = renderMarkdown(
    example.input,
    exampleContext({
      settings: {
        ...settings,
        previewsImages: example.inline_image_preview ?? settings.previewsImages,
        defaultCodeBlockLanguage:
          example.default_code_block_language ?? settings.defaultCodeBlockLanguage,
        translatesEmoticons: example.translate_emoticons ?? settings.translatesEmoticons,
      },
    }),
  )
  return html.replaceAll(
    /<span class="katex">.*?<\/math><\/span>.*?<\/span><\/span><\/span>/gs,
    '<span class="katex">…</span>',
  )
}

/** A fence that the text cannot end. */
function fenced(text: string, language = 'text'): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function itemOf(schema: JsonSchema): JsonSchema {
  return schema.items ?? schema
}

function fieldNames(schema: object): string {
  const names = Object.keys((schema as JsonSchema).properties ?? {})
  return names.map((name) => `\`${name}\``).join(' ')
}

function defaultTextOf(name: string, kind: ErrorKind<object>): string | undefined {
  if (kind.text === undefined) return isTextName(name) ? englishTexts[name] : undefined
  // Whatever field a text asks for, its name stands for it.
  const fields = new Proxy({}, { get: (_, field) => `{${String(field)}}`, has: () => true })
  return englishTexts[kind.text(fields).name]
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A page that was never written is as stale as one that has changed.
    return undefined
  }
}
