import { fromKeys, keysOf } from '../../kernel/objects.js'
import type { MigrationContext } from '../migrations/migration.js'
import { id, type Column, type ColumnFacts } from './column.js'

type Columns = Readonly<Record<string, Column<unknown, boolean>>>
type Key<Of extends Columns> = (keyof Of & string) | 'organization_id'
type Keys<Name extends string> = readonly [Name, ...Name[]]
/** Columns, and more about the index if it is not the usual one. */
type Index<Name extends string> = Keys<Name> | NamedIndex<Name>

interface NamedIndex<Name extends string> {
  /** Without prefix. */
  readonly name: string
  readonly columns: Keys<Name>
  /** One of the columns: the index is for rows in which it is null, and has only these if possible. */
  readonly whereNull?: Name
}

/** How the rows of a table are written to an archive of their organization. */
interface Archived<Name extends string> {
  /**
   * The column with the row that each row belongs to, which it follows; undefined for tables that
   * are read by `id`.
   */
  readonly of?: Name
  /** The order in which rows are read. @default `of` and the rest of the primary key */
  readonly orderedBy?: Keys<Name>
}

/** The records of a user's export that rows become. */
interface Exported<Name extends string> {
  /** The column with the id of the user. */
  readonly of: Name
  /** Those of a record, with their names and values in the database. */
  readonly columns: readonly Name[]
}

interface Definition<Of extends Columns, Name extends string> {
  /**
   * In their order in the database. Without `organization_id` among them, it is the first one, or
   * follows `id`.
   */
  readonly columns: Of
  /** @default `id` */
  readonly primary?: Keys<Name>
  readonly unique?: readonly Index<Name>[]
  readonly index?: readonly Index<Name>[]
  /** How an archive contains the table, or why not; undefined for tables of the server. */
  readonly archive?: Archived<Name> | string
  /** The records, by their type: those of the user in a column have the columns that are exported. */
  readonly exports?: Readonly<Record<string, Name | Exported<Name>>>
  /** Whether no index has the user of records, so that an export goes through all ids of the table. */
  readonly isScannedForExports?: boolean
  /** Columns that the database computes, and that no query of rows has. */
  readonly computed?: readonly string[]
  /** Creates the table, if its columns and indexes do not say everything. */
  readonly create?: (context: MigrationContext) => void
  /** Whether the search index empties it when an organization is deleted. */
  readonly isOfSearchIndex?: boolean
}

/** A table: everything that is known of it. */
export interface Table<
  Name extends string = string,
  Of extends Columns = Columns,
> extends Definition<Of, string> {
  readonly name: Name
  readonly primary: readonly [string, ...string[]]
}

/** The columns, with that of the organization. */
type OfOrganization<Of extends Columns> = Of & { readonly organization_id: Column<number> }

/** A row of a table. */
export type RowOf<Of extends Pick<Table, 'columns'>> = {
  -readonly [Name in keyof Of['columns']]: Of['columns'][Name]['value']
}

/** A row to insert: columns with a default may be missing. The scope adds the organization. */
export type NewRowOf<Of extends Pick<Table, 'columns'>> = {
  [Name in OptionalName<Of['columns']>]?: Of['columns'][Name]['value']
} & {
  [
    Name in Exclude<keyof Of['columns'], OptionalName<Of['columns']> | 'organization_id'>
  ]: Of['columns'][Name]['value']
}

/** The rows of several tables, by the names of these. */
export type RowsOf<Of extends readonly Table[]> = { [One in Of[number] as One['name']]: RowOf<One> }
export type NewRowsOf<Of extends readonly Table[]> = {
  [One in Of[number] as One['name']]: NewRowOf<One>
}

/** Columns with a default, and ids, which the database assigns. */
type OptionalName<Of extends Columns> = {
  [Name in keyof Of]: Of[Name]['hasDefault'] extends true
    ? Name
    : Name extends 'id'
      ? Of[Name]['value'] extends number
        ? Name
        : never
      : never
}[keyof Of]

const booleans = new Set<string>()

/**
 * The columns of all tables that hold booleans, which databases return as 0 and 1. A column with one
 * of these names is a boolean in every table, so that rows of joins need no list of their own.
 */
export const booleanColumns: ReadonlySet<string> = booleans

/** The columns of a table in a join, where they are named `alias.column`. */
export function columnsIn<Of extends Table>({ columns }: Of, alias: string) {
  return fromKeys(keysOf(columns as Of['columns']), (name) => `${alias}.${name}`)
}

const defaults = new Map<string, object>()

/** The values of a table's columns in rows that do not name these. */
export function defaultsOf(table: string): object {
  return defaults.get(table) ?? {}
}

const tablesWithIds = new Set<string>()

/** Whether the database assigns ids to the rows of a table. */
export function hasIds(table: string): boolean {
  return tablesWithIds.has(table)
}

/** A table with rows of organizations. */
export function defineTable<Name extends string, Of extends Columns>(
  name: Name,
  definition: Definition<Of, Key<NoInfer<Of>>>,
): Table<Name, OfOrganization<Of>>
export function defineTable(name: string, definition: Definition<Columns, string>): Table {
  const { id: own, ...others } = definition.columns
  const first = own === undefined ? {} : { id: own }
  // An own `organization_id` stays in its place.
  const columns =
    'organization_id' in others
      ? definition.columns
      : { ...first, organization_id: id(), ...others }
  return defineServerTable(name, { ...definition, columns })
}

/** A table of the server. */
export function defineServerTable<Name extends string, Of extends Columns>(
  name: Name,
  definition: Definition<Of, Key<NoInfer<Of>>>,
): Table<Name, Of> {
  const facts = factsOf(definition)
  for (const [column, { kind }] of facts) if (kind === 'boolean') booleans.add(column)
  if (definition.columns['id']?.facts.kind === 'id') tablesWithIds.add(name)
  defaults.set(
    name,
    Object.fromEntries(
      facts.flatMap(([column, { default: value }]) =>
        value === undefined ? [] : [[column, value]],
      ),
    ),
  )
  return { primary: ['id'], ...definition, name }
}

/** The columns and their facts. */
export function factsOf({ columns }: Pick<Table, 'columns'>): [name: string, ColumnFacts][] {
  return Object.entries(columns).map(([name, { facts }]) => [name, facts])
}
