import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { listOf } from '../../../resource-definition/file-check.js'
import {
  SectionStoresToken,
  type SectionStore,
} from '../../../resource-definition/section-store.js'
import type { ImportContext } from './import-context.js'
import { OrganizationFileFormat } from './organization-file-format.js'

/** Stores the resources' sections of an organization file. */
@perServer()
export class SectionLoader {
  constructor(
    @inject(OrganizationFileFormat) private readonly format: OrganizationFileFormat,
    @inject(SectionStoresToken) private readonly stores: readonly SectionStore[],
  ) {}

  async load(tx: Transaction, context: ImportContext): Promise<void> {
    const loading = {
      createdAtSeconds: context.createdAtSeconds,
      render: (authorId: number, content: string, options?: { readonly isDescription?: boolean }) =>
        context.renderer.render(authorId, content, options).html,
      lists: context.file,
    }
    for (const section of this.stores) {
      const list = listOf(context.file[section.key])
      if (list.length > 0) await section.store(tx, list, loading)
    }
  }

  /** Reserves ids so that new objects get the ids that the file's `next_ids` asks for. */
  async reserveIds(tx: Transaction, { file }: ImportContext): Promise<void> {
    for (const { key, table } of this.format.numberedLists) {
      const nextId = file.next_ids?.[key]
      if (nextId !== undefined) await tx.reserveIds(table, nextId)
    }
  }
}
