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

/** Stores one noun's part of an organization file. */
export interface FileSectionLoader<Item = unknown> {
  /** Set-based; users, groups and channels are there already. */
  load(tx: Transaction, items: readonly Item[], loading: FileLoading): Promise<void>
}

/** The list in organization files that one noun knows. */
export interface FileSection<Item = unknown> {
  /** Its key in the file. */
  readonly key: string
  /** What an item is. */
  readonly summary: string
  readonly item: TSchema
  /** The table whose ids the items may prescribe. */
  readonly table?: TableName
  readonly loader: InjectionToken<FileSectionLoader<Item>>
  /** Reports what is wrong with items whose shape is right; the file's other lists can be asked. */
  check(items: AsyncIterable<PlacedItem<Item>>, check: FileCheck): Promise<void>
}

/** Types a section by the schema of its items. */
export function defineFileSection<Schema extends TSchema>(
  section: FileSection<Static<Schema>> & { readonly item: Schema },
): FileSection {
  return section as FileSection as FileSection
}

/** Items with ids first and ascending, so that the others get ids after them, in their order. */
export function inOrderOfIds<Item extends { readonly id?: number }>(
  items: readonly Item[],
): readonly Item[] {
  return [...items].sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity) || 0)
}
