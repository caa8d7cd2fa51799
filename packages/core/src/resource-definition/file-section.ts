import type { InjectionToken } from 'tsyringe'
import { Type, type Static, type TSchema } from 'typebox'

import type { TableName, Transaction } from '../storage/index.js'
import type { NewRowOf, Table } from '../storage/tables/table.js'
import type { FileCheck, PlacedItem } from './file-check.js'
import type { ReadFileLists } from './file-schemas.js'

/** The context in which the sections of an organization file are loaded. */
export interface FileLoading {
  readonly createdAtSeconds: number
  /** Renders the Markdown of a user of the file as HTML. */
  readonly render: (
    authorId: number,
    content: string,
    options?: { readonly isDescription?: boolean },
  ) => string
  /** The lists of the file. */
  readonly lists: ReadFileLists
}

/** Stores the section of one resource, if the section is more than rows of one table. */
export interface FileSectionLoader<Item = unknown> {
  /** Uses set-based statements. Users, groups and channels are already stored. */
  load(tx: Transaction, items: readonly Item[], loading: FileLoading): Promise<void>
}

interface SectionBase<Item> {
  /** Its key in the file. */
  readonly key: string
  /** Describes the items. */
  readonly summary: string
  readonly item: TSchema
  /**
   * Reports problems of items that have a valid shape; `check` gives access to the file's other
   * lists. Duplicate ids are already checked for.
   */
  check(items: AsyncIterable<PlacedItem<Item>>, check: FileCheck): Promise<void>
}

type AnyRow = Readonly<Record<string, unknown>>

/** A section whose items are rows of one table. */
export interface RowSection<Item = unknown, Row = AnyRow> extends SectionBase<Item> {
  readonly rowsOf: Table & { readonly name: TableName }
  /** @returns a function that converts an item, at its `position` in the list, into rows. */
  rows(loading: FileLoading): (item: Item, position: number) => Row | readonly Row[]
}

/** A section with a loader of its own. */
export interface LoadedSection<Item = unknown> extends SectionBase<Item> {
  readonly loader: InjectionToken<FileSectionLoader<Item>>
  /** The table whose ids the items may assign. */
  readonly table?: TableName
}

/** The list of one resource in organization files. */
export type FileSection = RowSection | LoadedSection

/** The table whose ids the items of a section may assign. */
export function numberedTable(section: FileSection): TableName | undefined {
  if ('loader' in section) return section.table
  return Type.IsObject(section.item) && 'id' in section.item.properties
    ? section.rowsOf.name
    : undefined
}

/** Infers the types of a section from the schema of its items, and from its table. */
export function defineFileSection<
  Schema extends TSchema,
  Of extends Table & { readonly name: TableName },
>(
  section: (
    | (RowSection<Static<Schema>, NewRowOf<Of>> & { readonly rowsOf: Of })
    | LoadedSection<Static<Schema>>
  ) & { readonly item: Schema },
): FileSection {
  // A section only ever gets items of its own schema.
  return section as FileSection
}

/** Items with ids first, ascending; items without ids follow in their order and get later ids. */
export function inOrderOfIds<Item extends { readonly id?: number | undefined }>(
  items: readonly Item[],
): readonly Item[] {
  return [...items].sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity) || 0)
}
