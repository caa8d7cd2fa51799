import type { ValidateFunction } from 'ajv'
import { Type } from 'typebox'

import { organizationImageNames } from '../../../domain/files/organization-images.js'
import { Role } from '../../../domain/users/actor.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { loadAjv } from '../../../kernel/load-ajv.js'
import { isRecord } from '../../../kernel/objects.js'
import { closed } from '../../../resource-definition/file-schemas.js'
import { userSettingProblem } from '../import/index.js'
import { keptSettings } from '../organization-settings/index.js'
import { OrganizationArchiveError } from './archive-reader.js'
import {
  archivedOrganization,
  type ArchivedRow,
  type ArchivedTable,
  archivedTables,
} from './archived-tables.js'
import type { KnownRows } from './known-rows.js'

const image = Type.Object(
  { version: Type.Integer({ minimum: 1 }), isUploaded: Type.Boolean() },
  closed,
)

/** The settings in the row of an organization. */
const storedSettings = Type.Object(
  {
    ...Object.fromEntries(
      Object.entries(keptSettings).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
    permissions: Type.Record(Type.String(), Type.Integer()),
    images: Type.Optional(
      Type.Object(
        Object.fromEntries(organizationImageNames.map((name) => [name, Type.Optional(image)])),
        closed,
      ),
    ),
    newUsers: Type.Optional(
      Type.Object(
        {
          role: Type.Union([Type.Literal(Role.member), Type.Literal(Role.guest)]),
          isWelcomed: Type.Boolean(),
        },
        closed,
      ),
    ),
  },
  closed,
)

/** More problems of one entry are not listed. */
const maxProblems = 20

/** Checks the rows of an archive before they are stored. */
export class RowCheck {
  readonly #ajv = new (loadAjv())({
    strict: false,
    meta: false,
    validateSchema: false,
    unicodeRegExp: false,
  })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(private readonly known: KnownRows) {}

  /** @throws {OrganizationArchiveError} unless it is the row of an organization. */
  organization(place: string, row: unknown): ArchivedRow {
    const problems = this.#shapeProblems('organizations', archivedOrganization.row, row)
    if (!isRecord(row) || problems.length > 0) throw failure(place, problems)
    const settings = parse(row['settings'])
    problems.push(
      ...this.#shapeProblems('settings', storedSettings, settings).map((one) => `settings${one}`),
      ...userSettingProblems(row['user_defaults']),
      ...this.#groupProblems(isRecord(settings) ? settings['permissions'] : undefined),
    )
    if (problems.length > 0) throw failure(place, problems)
    // It matches its schema.
    return row as ArchivedRow
  }

  /** @throws {OrganizationArchiveError} unless all lines are rows of the table. */
  async rows(name: string, table: ArchivedTable, text: string): Promise<ArchivedRow[]> {
    const problems: string[] = []
    const rows: ArchivedRow[] = []
    const yielder = new EventLoopYielder()
    let index = -1
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('\n', start)
      const line = text.slice(start, end < 0 ? text.length : end)
      start = end < 0 ? text.length : end + 1
      index += 1
      if (yielder.isDue) await yielder.yield()
      const row = parse(line)
      const found = this.#rowProblems(table, row)
      problems.push(...found.map((problem) => `${name}:${index + 1}${problem}`))
      if (problems.length >= maxProblems) break
      // A row without problems matches its schema.
      rows.push(row as ArchivedRow)
    }
    if (problems.length > 0) throw new OrganizationArchiveError(problems)
    return rows
  }

  #rowProblems(table: ArchivedTable, row: unknown): string[] {
    const problems = this.#shapeProblems(table.name, table.row, row)
    if (problems.length > 0) return problems
    // It matches its schema.
    const values = row as ArchivedRow
    if (referred.has(table.name)) {
      problems.push(...listed(this.known.add(table.name, Number(values['id']))))
    }
    for (const [column, target] of Object.entries(table.references)) {
      const id = values[column]
      if (id != null) problems.push(...listed(this.known.refer(target, Number(id))))
    }
    for (const [column, contents] of Object.entries(table.json ?? {})) {
      const value = values[column]
      if (value === null || (contents === 'optional' && value === '')) continue
      const parsed = parse(value)
      if (parsed === undefined) problems.push(`/${column} must be JSON`)
      if (contents === 'group ids') problems.push(...this.#groupProblems(parsed))
    }
    if (table.name === 'users') problems.push(...userSettingProblems(values['settings']))
    return problems
  }

  #groupProblems(ids: unknown): string[] {
    if (!isRecord(ids)) return ['/settings must contain ids of groups']
    return Object.values(ids).flatMap((id) =>
      Number.isSafeInteger(id)
        ? listed(this.known.refer('user_groups', Number(id)))
        : ['/settings must contain ids of groups'],
    )
  }

  #shapeProblems(name: string, schema: object, value: unknown): string[] {
    let validate = this.#validators.get(name)
    if (validate === undefined) this.#validators.set(name, (validate = this.#ajv.compile(schema)))
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message = 'is wrong' }) => `${instancePath} ${message}`,
    )
  }
}

/** The tables whose ids other rows contain. */
const referred: ReadonlySet<string> = new Set(
  archivedTables.flatMap(({ references }) => Object.values(references)),
)

function userSettingProblems(json: unknown): string[] {
  const settings = parse(json)
  if (!isRecord(settings)) return ['/settings must be an object']
  return Object.entries(settings).flatMap(([name, value]) => {
    const problem = userSettingProblem(name, value)
    return problem === undefined ? [] : [`/settings/${name} ${problem}`]
  })
}

function parse(json: unknown): unknown {
  try {
    const value: unknown = JSON.parse(String(json))
    return value
  } catch {
    return undefined
  }
}

function listed(problem: string | undefined): string[] {
  return problem === undefined ? [] : [`: ${problem}`]
}

function failure(place: string, problems: readonly string[]): OrganizationArchiveError {
  return new OrganizationArchiveError(problems.map((problem) => `${place}${problem}`))
}
