import type { InjectionToken } from 'tsyringe'

import { EventLoopYielder } from '../kernel/event-loop-yielder.js'
import type { Transaction } from '../storage/index.js'
import { idOf } from './file-check.js'
import {
  inOrderOfIds,
  type FileLoading,
  type FileSection,
  type RowSection,
} from './file-section.js'

const rowsPerChunk = 1000

/** Stores one list of organization files. */
export interface SectionStore {
  /** The key of the list in the file. */
  readonly key: string
  store(tx: Transaction, items: readonly unknown[], loading: FileLoading): Promise<void>
}

/** The stores of all sections, in the order in which the lists are stored. */
export const SectionStoresToken: InjectionToken<readonly SectionStore[]> = Symbol('SectionStores')

/** @param resolve resolves the service that stores the section's items, at the first use. */
export function sectionStore(
  section: FileSection,
  resolve: <Service>(token: InjectionToken<Service>) => Service,
): SectionStore {
  return {
    key: section.key,
    store: (tx, items, loading) =>
      'loader' in section
        ? resolve(section.loader).load(tx, items, loading)
        : storeRows(tx, section, items, loading),
  }
}

async function storeRows(
  tx: Transaction,
  section: RowSection,
  items: readonly unknown[],
  loading: FileLoading,
): Promise<void> {
  const rowsOf = section.rows(loading)
  const table = tx.rows(section.rowsOf)
  const yielder = new EventLoopYielder()
  const placed = items.map((item, position) => ({ item, position, id: idOf(item) }))
  let chunk: Readonly<Record<string, unknown>>[] = []
  for (const { item, position } of inOrderOfIds(placed)) {
    if (yielder.isDue) await yielder.yield()
    chunk.push(...[rowsOf(item, position)].flat())
    if (chunk.length < rowsPerChunk) continue
    await table.insertMany(chunk)
    chunk = []
  }
  if (chunk.length > 0) await table.insertMany(chunk)
}
