import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  inOrderOfIds,
  type FileSectionLoader,
} from '../file-sections/index.js'
import { LinkifierRepository } from './linkifier-repository.js'
import { requireUsableLinkifier } from './linkifier-rules.js'

const FileLinkifier = Type.Object(
  {
    id: Type.Optional(FileId),
    pattern: Type.String({ description: 'RE2 syntax with named groups.' }),
    url_template: Type.String({ description: 'RFC 6570, with the names of the groups.' }),
  },
  closed,
)
/** A linkifier of an organization file. */
export type FileLinkifier = Static<typeof FileLinkifier>

/** Stores the linkifiers of an organization file, in their order. */
@perServer()
class LinkifierFileLoader implements FileSectionLoader<FileLinkifier> {
  constructor(@inject(LinkifierRepository) private readonly linkifiers: LinkifierRepository) {}

  async load(tx: Transaction, items: readonly FileLinkifier[]): Promise<void> {
    const rows = items.map((item, position) => ({ ...item, position }))
    for (const chunk of chunksOf(inOrderOfIds(rows))) await this.linkifiers.insertMany(tx, chunk)
  }
}

export const linkifierFile = defineFileSection({
  key: 'linkifiers',
  summary: 'Patterns that become links, in the order in which they are tried.',
  item: FileLinkifier,
  table: 'linkifiers',
  loader: LinkifierFileLoader,
  async check(items, check) {
    const [id, pattern] = [check.once(), check.once()]
    for await (const { place, item } of items) {
      if (item.id !== undefined) id(`${place}/id`, item.id)
      pattern(`${place}/pattern`, item.pattern)
      check.requireRule(place, () => requireUsableLinkifier(item.pattern, item.url_template))
    }
  },
})
