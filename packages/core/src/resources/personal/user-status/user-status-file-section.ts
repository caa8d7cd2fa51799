import { Type } from 'typebox'

import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { fileEmojiFinder } from '../../content/emoji/index.js'
import { userStatuses } from './user-statuses-table.js'

const FileUserStatus = Type.Object(
  {
    user_id: FileId,
    status_text: Type.Optional(
      Type.String({ maxLength: userStatuses.columns.status_text.maxLength }),
    ),
    emoji_name: Type.Optional(Type.String()),
    emoji_code: Type.Optional(Type.String()),
    reaction_type: Type.Optional(Type.String()),
  },
  closed,
)

export const userStatusFile = defineFileSection({
  key: 'user_statuses',
  summary: 'User statuses.',
  item: FileUserStatus,
  rowsOf: userStatuses,
  rows(loading) {
    const find = fileEmojiFinder(loading.lists.custom_emoji ?? [])
    return ({ user_id, status_text = '', emoji_name, ...more }) => ({
      user_id,
      status_text,
      emoji_name: '',
      emoji_code: '',
      reaction_type: 'unicode_emoji',
      ...(emoji_name === undefined ? {} : find({ emoji_name, ...more })),
    })
  },
  async check(items, check) {
    const find = fileEmojiFinder(check.items('custom_emoji').map(({ item }) => item))
    const once = check.once()
    for await (const { place, item } of items) {
      once(`${place}/user_id`, item.user_id)
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      const { emoji_name, emoji_code, reaction_type } = item
      if (emoji_name === undefined) continue
      if (find({ emoji_name, emoji_code, reaction_type }) === undefined) {
        check.report(`${place}/emoji_name`, `there is no emoji '${emoji_name}'`)
      }
    }
  },
})
