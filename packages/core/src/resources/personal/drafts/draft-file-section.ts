import { Type } from 'typebox'

import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { DraftInput } from './draft-schemas.js'
import { storedDraft } from './draft-check.js'
import { drafts } from './drafts-table.js'

const FileDraft = Type.Object(
  { id: Type.Optional(FileId), user_id: FileId, ...DraftInput.properties },
  closed,
)

export const draftFile = defineFileSection({
  key: 'drafts',
  summary: 'Messages that users have not sent yet.',
  item: FileDraft,
  rowsOf: drafts,
  rows:
    ({ createdAtSeconds }) =>
    ({ id, user_id, ...draft }) => ({
      ...(id === undefined ? {} : { id }),
      user_id,
      ...storedDraft(draft, user_id, createdAtSeconds),
    }),
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      if (item.type === 'stream') check.requireAllKnown(`${place}/to`, 'channel', item.to)
      if (item.type === 'private') check.requireAllKnown(`${place}/to`, 'user', item.to)
      check.requireRule(place, () => storedDraft(item, item.user_id, 0))
    }
  },
})
