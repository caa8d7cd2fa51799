/**
 * Writes the files of docs/ that follow from the code: operations, endpoints, events, errors, the
 * organization file, Markdown and the OpenAPI document. `--check` writes nothing and fails if a page is not what it would write.
 * Fails in any case if an operation has no place among the endpoints, or no conformance case.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// First: the container's decorators need what it loads.
import '../packages/core/src/index.js'
import { errorKinds, type ErrorKind } from '../packages/core/src/errors/index.js'
import { callersOf, type Operation } from '../packages/core/src/http/index.js'
import { renderMarkdown } from '../packages/core/src/markdown/index.js'
import { allEvents, allOperations, allSnapshots } from '../packages/core/src/resources/index.js'
import {
  apiTopics,
  topicOf,
} from '../packages/core/src/resources/administration/api-description/index.js'
import { describeApi } from '../packages/core/src/describe-api.js'
import { OrganizationFile } from '../packages/core/src/resources/administration/import/index.js'

import { exampleContext, settings } from '../test/unit/markdown/example-context.js'
import { examples, type RenderExample } from '../test/unit/markdown/examples.js'

const root = new URL('..', import.meta.url).pathname
const casesFolder = 'test/conformance/'
const generatedNote = '<!-- Written by `pnpm docs:generate`; edit the code instead. -->\n'

interface Page {
  readonly path: string
  readonly text: string
}

const pages: readonly Page[] = [
  { path: 'docs/operations.md', text: operationsPage() },
  { path: 'docs/endpoints.md', text: endpointsPage() },
  { path: 'docs/events.md', text: eventsPage() },
  { path: 'docs/errors.md', text: errorsPage() },
  { path: 'docs/organization-file.md', text: organizationFilePage() },
  { path: 'docs/markdown.md', text: markdownPage() },
  { path: 'docs/openapi.json', text: openApiDocument() },
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
  const document = describeApi('https://chat.example', { operations: allOperations, events: allEvents, snapshots: allSnapshots })
  return `${JSON.stringify(document, null, 2)}\n`
}

function operationsPage(): string {
  const cases = casesByOperation()
  const rows = [...allOperations]
    .sort((a, b) => order(a).localeCompare(order(b)))
    .map((operation) => {
      const files = cases.get(operation.id) ?? []
      return [
        `\`${operation.method} ${operation.path}\`${operation.isAtRoot === true ? ' at the root' : ''}`,
        `\`${operation.id}\``,
        operation.summary,
        callersOf(operation),
        operation.errors.map((kind) => `\`${kind}\``).join(' '),
        files.map(({ file, count }) => `[${count}](../${file})`).join(' '),
      ]
    })
  return page(
    'Operations',
    `All paths are relative to \`/api/v1\`, but for those at the root of the server. Every operation may also answer the errors of credentials, parameters and rate limits; the last column counts its conformance cases, which run on every adapter and every database. The exact parameters and answers are in the [OpenAPI document](openapi.json), which a running server publishes at \`/api/v1/openapi.json\` as well.`,
    table(['operation', 'id', 'what it does', 'who', 'errors', 'cases'], rows),
  )
}

function endpointsPage(): string {
  const cases = casesByOperation()
  const byTopic = new Map(apiTopics.map((topic) => [topic, [] as Operation[]]))
  for (const operation of allOperations) {
    const topic = topicOf(operation)
    if (topic === undefined) fail(`${operation.id} has no place in api-topics.ts`)
    else byTopic.get(topic)?.push(operation)
    if (!cases.has(operation.id)) fail(`${operation.id} has no conformance case`)
  }
  const declared = new Set(allOperations.map(nameOf))
  for (const name of apiTopics.flatMap(({ first }) => first)) {
    if (!declared.has(name)) fail(`api-topics.ts names ${name}, which no operation serves`)
  }
  const parts = [...byTopic].map(([{ title, first }, operations]) => {
    const place = (operation: Operation): number => {
      const index = first.indexOf(nameOf(operation))
      return index < 0 ? first.length : index
    }
    const rows = operations
      .toSorted((a, b) => place(a) - place(b) || order(a).localeCompare(order(b)))
      .map((operation) => {
        const files = cases.get(operation.id) ?? []
        return [
          `\`${nameOf(operation)}\``,
          `\`${operation.id}\``,
          String(files.reduce((sum, { count }) => sum + count, 0)),
          [...countsByFile(files)]
            .map(([file, count]) => `[${file.slice(casesFolder.length)}](../${file}) (${count})`)
            .join(', '),
        ]
      })
    return `## ${title}\n\n${table(['endpoint', 'operation', 'cases', 'in'], rows)}`
  })
  return page(
    'Endpoints',
    'Every endpoint by topic, the operation that serves it, and its conformance cases: each runs on every adapter and every database. [Operations](operations.md) says what they do, who may call them, and what they refuse.',
    parts.join('\n\n'),
  )
}

function countsByFile(
  groups: readonly { readonly file: string; readonly count: number }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { file, count } of groups) counts.set(file, (counts.get(file) ?? 0) + count)
  return counts
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

function fail(problem: string): void {
  console.error(problem)
  process.exitCode = 1
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
      row.message === undefined ? 'given where it happens' : messageExample(row),
    ]
  })
  return page(
    'Errors',
    'An error is JSON with `result` `"error"`, `msg` for people, `code` for programs, and the extra fields of its kind.',
    table(['kind', 'status', 'code', 'message'], rows),
  )
}

function organizationFilePage(): string {
  const sections = Object.entries((OrganizationFile as unknown as JsonSchema).properties ?? {})
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
    'The dialect of messages, by example: a text, and the HTML that clients are given. Mathematics is the HTML of KaTeX and is shortened here. `renderMessage(text, options)` of `@parley/core` renders a text outside of any message; `collectReferences(text)` names what it will look up.',
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

interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly description?: string
}

function itemOf(schema: JsonSchema): JsonSchema {
  return schema.items ?? schema
}

function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(' or ')
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`
  return schema.type ?? 'any'
}

function fieldNames(schema: object): string {
  const names = Object.keys((schema as JsonSchema).properties ?? {})
  return names.map((name) => `\`${name}\``).join(' ')
}

function messageExample(kind: ErrorKind<object>): string {
  // Whatever field a message asks for, its name stands for it.
  const fields = new Proxy({}, { get: (_, name) => `{${String(name)}}`, has: () => true })
  return kind.message?.(fields) ?? ''
}

function order({ path, method }: Operation): string {
  return `${path} ${method}`
}

/** How many cases each test file has for each operation. */
function casesByOperation(): Map<string, { file: string; count: number }[]> {
  const cases = new Map<string, { file: string; count: number }[]>()
  for (const name of readdirSync(join(root, 'test/conformance')).sort()) {
    if (!name.endsWith('.test.ts')) continue
    const file = `test/conformance/${name}`
    const text = readFileSync(join(root, file), 'utf8')
    const groups = text.split(/^everyHost\(/m).slice(1)
    for (const group of groups) {
      const id = /^\s*'([^']+)'/.exec(group)?.[1]
      if (id === undefined) continue
      const count = group.match(/^\s+(?:void )?it\(/gm)?.length ?? 0
      cases.set(id, [...(cases.get(id) ?? []), { file, count }])
    }
  }
  return cases
}

function page(title: string, lead: string, body: string): string {
  return `${generatedNote}\n# ${title}\n\n${lead}\n\n${body}\n`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A page that was never written is as stale as one that has changed.
    return undefined
  }
}
