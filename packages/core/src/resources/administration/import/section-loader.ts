import { inject, type InjectionToken } from 'tsyringe'

import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import {
  inOrderOfIds,
  type FileLoading,
  type RowSection,
} from '../../../resource-definition/file-section.js'
import { idOf, listOf } from '../../../resource-definition/file-check.js'
import type { ImportContext } from './import-context.js'
import { OrganizationFileFormat } from './organization-file-format.js'

const rowsPerChunk = 1000

/** Resolves the dependencies of the resources' sections. */
export type SectionLoaders = <Part>(token: InjectionToken<Part>) => Part
export const SectionLoadersToken: InjectionToken<SectionLoaders> = Symbol('SectionLoaders')

/** Stores the resources' sections of an organization file. */
@perServer()
export class SectionLoader {
  constructor(
    @inject(OrganizationFileFormat) private readonly format: OrganizationFileFormat,
    @inject(SectionLoadersToken) private readonly resolve: SectionLoaders,
  ) {}

  async load(tx: Transaction, context: ImportContext): Promise<void> {
    const loading = {
      createdAtSeconds: context.createdAtSeconds,
      render: (authorId: number, content: string, options?: { readonly showsPreviews?: boolean }) =>
        context.renderer.render(authorId, content, options).html,
      lists: context.file,
    }
    for (const section of this.format.sections) {
      const list = listOf(context.file[section.key])
      if (list.length === 0) continue
      if ('loader' in section) await this.resolve(section.loader).load(tx, list, loading)
      else await this.#storeRows(tx, section, list, loading)
    }
  }

  async #storeRows(
    tx: Transaction,
    section: RowSection,
    items: readonly unknown[],
    loading: FileLoading,
  ): Promise<void> {
    const [table, rowsOf, yielder] = [
      this.resolve(section.store),
      section.rows(loading),
      new EventLoopYielder(),
    ]
    const placed = items.map((item, position) => ({ item, position, id: idOf(item) }))
    let chunk: unknown[] = []
    for (const { item, position } of inOrderOfIds(placed)) {
      if (yielder.isDue) await yielder.yield()
      chunk.push(...[rowsOf(item, position)].flat())
      if (chunk.length < rowsPerChunk) continue
      await table.insertMany(tx, chunk)
      chunk = []
    }
    if (chunk.length > 0) await table.insertMany(tx, chunk)
  }

  /** Reserves ids so that new objects get the ids that the file's `next_ids` asks for. */
  async reserveIds(tx: Transaction, { file }: ImportContext): Promise<void> {
    for (const { key, table } of this.format.numberedLists) {
      const nextId = file.next_ids?.[key]
      if (nextId !== undefined) await tx.reserveIds(table, nextId)
    }
  }
}
