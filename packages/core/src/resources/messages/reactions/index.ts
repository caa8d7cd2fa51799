import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { fileEmojiFinder } from '../../content/emoji/index.js'
import { EmojiParameters, reactionAdded, reactionRemoved } from './reaction-events.js'
import { ReactionService } from './reaction-service.js'
import { reactions as table } from './reactions-table.js'

export { ReactionDecoration } from './reaction-decoration.js'
export type { ReactionRow } from './reactions-table.js'
export { ReactionService } from './reaction-service.js'

const addReaction = defineCommand({
  id: 'add-reaction',
  summary: 'Add an emoji reaction to a message.',
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  access: 'user',
  isPersonal: true,
  params: { message_id: Bounded.id(), ...EmojiParameters, emoji_name: Bounded.name() },
  errors: ['BAD_REQUEST', 'REACTION_ALREADY_EXISTS'],
  service: ReactionService,
  handle: (reactions, { actor, params: { message_id, ...emoji } }) =>
    reactions.add(actor, message_id, emoji),
})

const removeReaction = defineCommand({
  id: 'remove-reaction',
  summary: 'Remove an emoji reaction from a message.',
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  access: 'user',
  isPersonal: true,
  params: { message_id: Bounded.id(), ...EmojiParameters },
  errors: ['BAD_REQUEST', 'REACTION_DOES_NOT_EXIST'],
  service: ReactionService,
  handle: (reactions, { actor, params: { message_id, ...emoji } }) =>
    reactions.remove(actor, message_id, emoji),
})

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

const reactionFile = defineFileSection({
  key: 'reactions',
  summary: 'Reactions to messages that have ids, in chronological order.',
  item: FileReaction,
  rowsOf: table,
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

export const reactions = defineResource({
  operations: [addReaction, removeReaction],
  events: [reactionAdded, reactionRemoved],
  fileSection: reactionFile,
})
