import type { InjectionToken } from 'tsyringe'
import type { Static, TSchema } from 'typebox'

import type { TableName, Transaction } from '../storage/index.js'
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

/** Inserts rows of one table in batches. */
export interface RowStore<Row> {
  insertMany(tx: Transaction, rows: readonly Row[]): Promise<void>
}

interface SectionBase<Item> {
  /** Its key in the file. */
  readonly key: string
  /** What an item represents. */
  readonly summary: string
  readonly item: TSchema
  /** The table whose ids the items may assign. */
  readonly table?: TableName
  /**
   * Reports problems of items that have a valid shape; `check` gives access to the file's other
   * lists. Duplicate ids are already checked for.
   */
  check(items: AsyncIterable<PlacedItem<Item>>, check: FileCheck): Promise<void>
}

/** A section whose items are rows of one table. */
export interface RowSection<Item = unknown, Row = unknown> extends SectionBase<Item> {
  readonly store: InjectionToken<RowStore<Row>>
  /** @returns a function that converts an item, at its `position` in the list, into rows. */
  rows(loading: FileLoading): (item: Item, position: number) => Row | readonly Row[]
}

/** A section with a loader of its own. */
export interface LoadedSection<Item = unknown> extends SectionBase<Item> {
  readonly loader: InjectionToken<FileSectionLoader<Item>>
}

/** The list of one resource in organization files. */
export type FileSection<Item = unknown, Row = unknown> = RowSection<Item, Row> | LoadedSection<Item>

/** Infers the types of a section from the schema of its items. */
export function defineFileSection<Schema extends TSchema, Row>(
  section: FileSection<Static<Schema>, Row> & { readonly item: Schema },
): FileSection {
  // A section only ever gets items of its own schema, and its store only its own rows.
  return section as FileSection
}

/** Items with ids first, ascending; items without ids follow in their order and get later ids. */
export function inOrderOfIds<Item extends { readonly id?: number | undefined }>(
  items: readonly Item[],
): readonly Item[] {
  return [...items].sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity) || 0)
}
