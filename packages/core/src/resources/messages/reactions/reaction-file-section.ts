import { Type, type Static } from 'typebox'

import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { fileEmojiFinder } from '../../content/emoji/index.js'
import { reactions } from './reactions-table.js'

const FileReaction = Type.Object(
  {
    message_id: FileId,
    user_id: FileId,
    emoji_name: Type.String(),
    emoji_code: Type.Optional(
      Type.String({ description: 'Only needed if several emoji have the same name.' }),
    ),
    reaction_type: Type.Optional(Type.String()),
  },
  closed,
)
/** A reaction of an organization file. */
type FileReaction = Static<typeof FileReaction>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    reactions: FileReaction
  }
}

export const reactionFile = defineFileSection({
  key: 'reactions',
  summary: 'Reactions to messages that have ids, in chronological order.',
  item: FileReaction,
  rowsOf: reactions,
  rows(loading) {
    const find = fileEmojiFinder(loading.lists.custom_emoji ?? [])
    return ({ message_id, user_id, ...named }) => {
      const emoji = find(named)
      return emoji === undefined ? [] : { message_id, user_id, ...emoji }
    }
  },
  async check(items, check) {
    const find = fileEmojiFinder(check.items('custom_emoji').map(({ item }) => item))
    const once = check.once()
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/message_id`, 'message', item.message_id)
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      const emoji = find(item)
      if (emoji === undefined) {
        check.report(`${place}/emoji_name`, `there is no emoji '${item.emoji_name}'`)
        continue
      }
      const { reaction_type, emoji_code } = emoji
      const key = [item.message_id, item.user_id, reaction_type, emoji_code].join(' ')
      once(`${place}/emoji_name`, key, item.emoji_name)
    }
  },
})
