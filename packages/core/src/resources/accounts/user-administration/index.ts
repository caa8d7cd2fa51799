import { Type } from 'typebox'

import { Bounded, maxObjects } from '../../../domain/bounded-schemas.js'
import type { Role } from '../../../domain/users/actor.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { ProfileValueItem } from '../profile-fields/index.js'
import { AccountDeactivation } from './account-deactivation.js'
import { UserAdministration } from './user-administration.js'
import { UserCreation } from './user-creation.js'

export { ExternalAccountDeactivation } from './external-account-deactivation.js'
export { FreeAddresses } from './free-addresses.js'
export { UniqueNames } from './unique-names.js'
export { AccountRights, requireAdministrator } from './account-rights.js'
export { BotQuotas } from './bot-quotas.js'
export { UserAdministration } from './user-administration.js'

const maxCommentLength = 2000
const Empty = Type.Object({})

const updateParameters = {
  full_name: Type.Optional(Bounded.name({ contentKind: 'user.fullName' })),
  role: Type.Optional(
    Bounded.role({
      invalid: 'listed',
      description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
    }),
  ),
  profile_data: Type.Optional(
    Type.Array(ProfileValueItem, {
      maxItems: maxObjects,
      description: 'An empty value removes the current one.',
    }),
  ),
  new_email: Type.Optional(Bounded.name()),
}

const createUser = defineOperation({
  id: 'create-user',
  summary: 'Create a user. For administrators whom the operator has given the permission.',
  method: 'POST',
  path: '/users',
  access: 'administrator',
  params: {
    email: Bounded.name(),
    password: Bounded.name({ maxLength: 10_000 }),
    full_name: Bounded.name({ contentKind: 'user.fullName' }),
  },
  response: Type.Object({ user_id: Type.Integer() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: UserCreation,
  async handle(creation, { actor, params }) {
    const { email, password, full_name } = params
    return { user_id: await creation.create(actor, { email, password, fullName: full_name }) }
  },
})

const updateUser = defineOperation({
  id: 'update-user',
  summary: "Change a user's name, role, profile or email address.",
  method: 'PATCH',
  path: '/users/{user_id}',
  access: 'user',
  isAdministrative: true,
  params: { user_id: Bounded.id(), ...updateParameters },
  response: Empty,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: UserAdministration,
  async handle(administration, { actor, params }) {
    await administration.update(actor, params.user_id, updateOf(params))
    return {}
  },
})

const updateUserByEmail = defineOperation({
  id: 'update-user-by-email',
  summary: 'The same for a user whose email address the caller may see.',
  method: 'PATCH',
  path: '/users/{email}',
  access: 'user',
  isAdministrative: true,
  params: { email: Bounded.name(), ...updateParameters },
  response: Empty,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: UserAdministration,
  async handle(administration, { actor, params }) {
    await administration.update(actor, params.email, updateOf(params))
    return {}
  },
})

const deactivateUser = defineOperation({
  id: 'deactivate-user',
  summary: 'Deactivate a user and the bots that they own.',
  method: 'DELETE',
  path: '/users/{user_id}',
  access: 'user',
  isAdministrative: true,
  params: {
    user_id: Bounded.id(),
    deactivation_notification_comment: Type.Optional(
      Type.String({
        maxLength: maxCommentLength,
        description: 'Text of an email to the user; ignored, because the server sends none.',
      }),
    ),
  },
  clientParameters: { deactivation_notification_comment: undefined },
  response: Empty,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: AccountDeactivation,
  async handle(closing, { actor, params }) {
    await closing.deactivate(actor, params.user_id)
    return {}
  },
})

const deactivateOwnUser = defineOperation({
  id: 'deactivate-own-user',
  summary: "Deactivate the caller's own account.",
  method: 'DELETE',
  path: '/users/me',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Empty,
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
  service: AccountDeactivation,
  async handle(closing, { actor }) {
    await closing.deactivateOwn(actor)
    return {}
  },
})

const reactivateUser = defineOperation({
  id: 'reactivate-user',
  summary: 'Reactivate a user or bot.',
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  access: 'user',
  isAdministrative: true,
  params: { user_id: Bounded.id() },
  response: Empty,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: AccountDeactivation,
  async handle(closing, { actor, params }) {
    await closing.reactivate(actor, params.user_id)
    return {}
  },
})

function updateOf(params: {
  full_name?: string
  role?: Role
  profile_data?: { id: number; value: unknown }[]
  new_email?: string
}) {
  return {
    fullName: params.full_name,
    role: params.role,
    profileData: params.profile_data,
    newEmail: params.new_email,
  }
}

export const userAdministration = defineResource({
  operations: [
    createUser,
    updateUser,
    updateUserByEmail,
    deactivateUser,
    deactivateOwnUser,
    reactivateUser,
  ],
})
