import { type TObject, type TSchema, Type } from 'typebox'

import { present } from '../../../kernel/present.js'
import { closed } from '../../../resource-definition/file-schemas.js'
import type { TableName } from '../../../storage/index.js'
import type { ColumnFacts, JsonContents } from '../../../storage/tables/column.js'
import { factsOf, type Table } from '../../../storage/tables/table.js'
import { tables } from '../../tables.js'

/** A value of a column, in the database and in an archive. */
export type ArchivedValue = string | number | boolean | null
/** A row, by the names of its columns. */
export type ArchivedRow = Readonly<Record<string, ArchivedValue>>

/** How the rows of a table are archived. */
export interface ArchivedTable {
  readonly name: TableName
  /** The columns, except `organization_id`. */
  readonly row: TObject
  /** The columns of the order in which rows are read. */
  readonly keys: readonly [string, ...string[]]
  /**
   * The table whose ids a column contains: the rows follow the page of the rows that they belong
   * to. Undefined for tables that are read by `id`.
   */
  readonly of: { readonly table: string; readonly column: string } | undefined
  /** The tables whose ids columns contain. An import requires that the row exists. */
  readonly references: Readonly<Record<string, string>>
  /** Columns with JSON. */
  readonly json: Readonly<Record<string, JsonContents>>
}

/** The names of the archived columns. */
export function columnsOf({ row }: Pick<ArchivedTable, 'row'>): readonly string[] {
  return Object.keys(row.properties)
}

/** The bounds of the database. */
const maxInteger = 2_147_483_647
const maxLongText = 16_777_215
const maxText = 65_535

/** The schema of the values of a column. */
function schemaOf(facts: ColumnFacts): TSchema {
  const { values, isNullable = false } = facts
  const schema =
    values === undefined ? typed(facts) : Type.Union(values.map((value) => Type.Literal(value)))
  return isNullable ? Type.Union([schema, Type.Null()]) : schema
}

function typed(facts: ColumnFacts): TSchema {
  const { kind, minLength, maxLength = maxLongText, pattern } = facts
  const { minimum = kind === 'bigInteger' ? Number.MIN_SAFE_INTEGER : -maxInteger - 1 } = facts
  switch (kind) {
    case 'id':
    case 'count':
    case 'integer':
      return Type.Integer({ minimum, maximum: maxInteger })
    case 'bigInteger':
      return Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER })
    case 'number':
      return Type.Number({ minimum })
    case 'boolean':
      return Type.Boolean()
    case 'text':
      return Type.String({ maxLength: maxText })
    case 'string':
    case 'longText':
    case 'bytes':
      return Type.String({
        maxLength,
        ...(minLength === undefined ? {} : { minLength }),
        ...(pattern === undefined ? {} : { pattern }),
      })
  }
}

const all = tables.filter(({ archive }) => typeof archive === 'object').map(archivedTable)

/** The organization itself. */
export const archivedOrganization = present(
  all.find(({ name }) => name === 'organizations'),
  'the organization',
)

/** The archived tables, in the order of their rows in an archive. */
export const archivedTables = all.filter((table) => table !== archivedOrganization)

function archivedTable(table: Table & { readonly name: TableName }): ArchivedTable {
  const { name, archive, primary } = table
  const { of, orderedBy } = typeof archive === 'object' ? archive : {}
  const columns = factsOf(table).filter(
    ([column, { notArchived }]) => column !== 'organization_id' && notArchived === undefined,
  )
  const pick = <Fact extends 'json' | 'refersTo'>(fact: Fact) =>
    Object.fromEntries(
      columns.flatMap(([column, facts]) => {
        const value = facts[fact]
        return value === undefined ? [] : [[column, value]]
      }),
    )
  const references = pick('refersTo')
  return {
    name,
    row: Type.Object(
      Object.fromEntries(columns.map(([column, facts]) => [column, schemaOf(facts)])),
      closed,
    ),
    keys:
      orderedBy ??
      (of === undefined ? primary : [of, ...primary.filter((column) => column !== of)]),
    of: of === undefined ? undefined : { table: present(references[of], of), column: of },
    references,
    json: pick('json'),
  }
}
