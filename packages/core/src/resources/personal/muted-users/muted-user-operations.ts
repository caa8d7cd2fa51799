import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { MutedUserService } from './muted-user-service.js'

const path = '/users/me/muted_users/{muted_user_id}'
const params = { muted_user_id: Bounded.id() }

export const muteUser = defineOperation({
  id: 'mute-user',
  summary: 'Mute a user; messages from muted users are marked as read.',
  method: 'POST',
  path,
  access: 'user',
  isPersonal: true,
  params,
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: MutedUserService,
  async handle(mutedUsers, { actor, params }) {
    await mutedUsers.mute(actor, params.muted_user_id)
    return {}
  },
})

export const unmuteUser = defineOperation({
  id: 'unmute-user',
  summary: 'Unmute a user.',
  method: 'DELETE',
  path,
  access: 'user',
  isPersonal: true,
  params,
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: MutedUserService,
  async handle(mutedUsers, { actor, params }) {
    await mutedUsers.unmute(actor, params.muted_user_id)
    return {}
  },
})
