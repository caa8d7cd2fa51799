import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { UserStatus } from './user-status-schemas.js'
import { UserStatusService } from './user-status-service.js'
import { userStatuses } from './user-statuses-table.js'

const statusParameters = {
  status_text: Type.Optional(
    Type.String({
      trim: true,
      maxLength: userStatuses.columns.status_text.maxLength,
      contentKind: 'status.text',
      description: 'An empty text removes the current one.',
    }),
  ),
  emoji_name: Type.Optional(
    Bounded.name({ description: 'An empty name removes the current emoji.' }),
  ),
  emoji_code: Type.Optional(Bounded.name()),
  reaction_type: Type.Optional(Bounded.name()),
}

export const getUserStatus = defineOperation({
  id: 'get-user-status',
  summary: "Get a user's status.",
  method: 'GET',
  path: '/users/{user_id}/status',
  access: 'user',
  params: { user_id: Bounded.id() },
  response: Type.Object({ status: UserStatus }),
  errors: ['BAD_REQUEST'],
  service: UserStatusService,
  async handle(statuses, { actor, params }) {
    return { status: await statuses.get(actor, params.user_id) }
  },
})

export const updateStatus = defineOperation({
  id: 'update-status',
  summary: "Change the caller's status.",
  method: 'POST',
  path: '/users/me/status',
  access: 'human',
  isPersonal: true,
  params: {
    ...statusParameters,
    away: Type.Optional(
      Type.Boolean({ description: 'Deprecated: sets `presence_enabled` to the opposite.' }),
    ),
  },
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: UserStatusService,
  async handle(statuses, { actor, params }) {
    await statuses.updateOwn(actor, params)
    return {}
  },
})

export const updateStatusForUser = defineOperation({
  id: 'update-status-for-user',
  summary: "Change a user's status. For administrators.",
  method: 'POST',
  path: '/users/{user_id}/status',
  access: 'user',
  isAdministrative: true,
  params: { user_id: Bounded.id(), ...statusParameters },
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: UserStatusService,
  async handle(statuses, { actor, params: { user_id, ...change } }) {
    await statuses.updateOf(actor, user_id, change)
    return {}
  },
})
