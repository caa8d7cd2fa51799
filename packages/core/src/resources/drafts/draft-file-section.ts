import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  type FileLoading,
  type FileSectionLoader,
  inOrderOfIds,
} from '../file-sections/index.js'
import { DraftInput } from './draft-schemas.js'
import { storedDraft } from './draft-check.js'
import { DraftRepository } from './draft-repository.js'

const FileDraft = Type.Object(
  { id: Type.Optional(FileId), user_id: FileId, ...DraftInput.properties },
  closed,
)
type FileDraft = Static<typeof FileDraft>

/** Stores the drafts of an organization file. */
@perServer()
class DraftFileLoader implements FileSectionLoader<FileDraft> {
  constructor(@inject(DraftRepository) private readonly drafts: DraftRepository) {}

  async load(
    tx: Transaction,
    items: readonly FileDraft[],
    { createdAtSeconds }: FileLoading,
  ): Promise<void> {
    const rows = inOrderOfIds(items).map(({ id, user_id, ...draft }) => ({
      ...(id === undefined ? {} : { id }),
      user_id,
      ...storedDraft(draft, user_id, createdAtSeconds),
    }))
    for (const chunk of chunksOf(rows)) await this.drafts.insertOfMany(tx, chunk)
  }
}

export const draftFile = defineFileSection({
  key: 'drafts',
  summary: 'Messages that users have not sent yet.',
  item: FileDraft,
  table: 'drafts',
  loader: DraftFileLoader,
  async check(items, check) {
    const id = check.once()
    for await (const { place, item } of items) {
      if (item.id !== undefined) id(`${place}/id`, item.id)
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      if (item.type === 'stream') check.requireAllKnown(`${place}/to`, 'channel', item.to)
      if (item.type === 'private') check.requireAllKnown(`${place}/to`, 'user', item.to)
      check.requireRule(place, () => storedDraft(item, item.user_id, 0))
    }
  },
})
