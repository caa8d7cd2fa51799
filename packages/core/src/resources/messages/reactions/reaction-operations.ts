import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { EmojiParameters } from './reaction-schemas.js'
import { ReactionService } from './reaction-service.js'

export const addReaction = defineOperation({
  id: 'add-reaction',
  summary: 'Add an emoji reaction to a message.',
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  access: 'user',
  isPersonal: true,
  params: { message_id: Bounded.id(), ...EmojiParameters, emoji_name: Bounded.name() },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'REACTION_ALREADY_EXISTS'],
  service: ReactionService,
  async handle(reactions, { actor, params: { message_id, ...emoji } }) {
    await reactions.add(actor, message_id, emoji)
    return {}
  },
})

export const removeReaction = defineOperation({
  id: 'remove-reaction',
  summary: 'Remove an emoji reaction from a message.',
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  access: 'user',
  isPersonal: true,
  params: { message_id: Bounded.id(), ...EmojiParameters },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'REACTION_DOES_NOT_EXIST'],
  service: ReactionService,
  async handle(reactions, { actor, params: { message_id, ...emoji } }) {
    await reactions.remove(actor, message_id, emoji)
    return {}
  },
})
