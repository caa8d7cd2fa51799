import { inject, type InjectionToken } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import type { FileSectionLoader } from '../file-sections/index.js'
import type { FileWorld } from './file-world.js'
import { nounSections } from './noun-sections.js'

/** Gives the loaders of the nouns' sections. */
export type SectionLoaders = (token: InjectionToken<FileSectionLoader>) => FileSectionLoader
export const SectionLoadersToken: InjectionToken<SectionLoaders> = Symbol('SectionLoaders')

/** Has the nouns store their sections of an organization file. */
@perServer()
export class SectionLoader {
  constructor(@inject(SectionLoadersToken) private readonly loaderOf: SectionLoaders) {}

  async load(tx: Transaction, world: FileWorld): Promise<void> {
    const items = <Item>(key: string): readonly Item[] => (world.file[key] ?? []) as readonly Item[]
    const loading = {
      createdAtSeconds: world.createdAtSeconds,
      render: (authorId: number, content: string, options?: { readonly showsPreviews?: boolean }) =>
        world.renderer.render(authorId, content, options).html,
      items,
    }
    for (const { key, loader } of nounSections) {
      const list = items(key)
      if (list.length > 0) await this.loaderOf(loader).load(tx, list, loading)
    }
  }

  /** Lets what is made next get the ids that the file asks for. */
  async reserveIds(tx: Transaction, { file }: FileWorld): Promise<void> {
    const tables = [
      ['users', 'users'],
      ['groups', 'user_groups'],
      ['channels', 'channels'],
      ['messages', 'messages'],
      ...nounSections.flatMap(({ key, table }) =>
        table === undefined ? [] : [[key, table] as const],
      ),
    ] as const
    for (const [key, table] of tables) {
      const nextId = file.next_ids?.[key]
      if (nextId !== undefined) await tx.reserveIds(table, nextId)
    }
  }
}
