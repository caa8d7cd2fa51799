import type { InjectionToken } from 'tsyringe'
import type { Static, TSchema } from 'typebox'

import type { TableName, Transaction } from '../../storage/index.js'
import type { FileCheck, PlacedItem } from './file-check.js'

/** What is known of an organization while it is loaded. */
export interface FileLoading {
  readonly createdAtSeconds: number
  /** The HTML of a text that a user of the file has written. */
  readonly render: (
    authorId: number,
    content: string,
    options?: { readonly showsPreviews?: boolean },
  ) => string
  /** Items of another section of the file. */
  readonly items: <Item>(key: string) => readonly Item[]
}

/** Stores one noun's part of an organization file, where it is more than rows of one table. */
export interface FileSectionLoader<Item = unknown> {
  /** Set-based; users, groups and channels are there already. */
  load(tx: Transaction, items: readonly Item[], loading: FileLoading): Promise<void>
}

/** Takes the rows of one table, many at once. */
export interface RowStore<Row> {
  insertMany(tx: Transaction, rows: readonly Row[]): Promise<void>
}

interface SectionBase<Item> {
  /** Its key in the file. */
  readonly key: string
  /** What an item is. */
  readonly summary: string
  readonly item: TSchema
  /** The table whose ids the items may prescribe. */
  readonly table?: TableName
  /**
   * Reports what is wrong with items whose shape is right; the file's other lists can be asked.
   * That no id is used twice is known.
   */
  check(items: AsyncIterable<PlacedItem<Item>>, check: FileCheck): Promise<void>
}

/** A section whose items are rows of one table. */
export interface RowSection<Item = unknown, Row = unknown> extends SectionBase<Item> {
  readonly store: InjectionToken<RowStore<Row>>
  /** @returns what makes the rows of an item; `position` is the item's place in the list. */
  rows(loading: FileLoading): (item: Item, position: number) => Row | readonly Row[]
}

/** A section that needs more than that. */
export interface LoadedSection<Item = unknown> extends SectionBase<Item> {
  readonly loader: InjectionToken<FileSectionLoader<Item>>
}

/** The list in organization files that one noun knows. */
export type FileSection<Item = unknown, Row = unknown> = RowSection<Item, Row> | LoadedSection<Item>

/** Types a section by the schema of its items. */
export function defineFileSection<Schema extends TSchema, Row>(
  section: FileSection<Static<Schema>, Row> & { readonly item: Schema },
): FileSection {
  return section as FileSection
}

/** Items with ids first and ascending, so that the others get ids after them, in their order. */
export function inOrderOfIds<Item extends { readonly id?: number | undefined }>(
  items: readonly Item[],
): readonly Item[] {
  return [...items].sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity) || 0)
}
