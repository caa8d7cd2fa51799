import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { isSpectator } from '../../../domain/users/actor.js'
import { redactForSpectators } from '../../../domain/users/spectator-view.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { ListedUser } from '../../people/users/index.js'
import { UserListService } from './user-list-service.js'
import { userListSnapshot } from './user-list-snapshot.js'

const viewParameters = {
  client_gravatar: Type.Boolean({
    default: true,
    description: 'Whether the client computes the URLs of gravatars itself.',
  }),
  include_custom_profile_fields: Type.Boolean({ default: false }),
}

const clientParameters = { client_gravatar: false }

const getUsers = defineOperation({
  id: 'get-users',
  summary: 'List all users of the organization, including bots and deactivated users.',
  method: 'GET',
  path: '/users',
  access: 'userOrSpectator',
  params: {
    ...viewParameters,
    user_ids: Type.Optional(
      Bounded.ids({ description: 'Only these users; unknown ids are ignored.' }),
    ),
  },
  clientParameters,
  response: Type.Object({
    members: Type.Array(
      Type.Object({
        ...ListedUser.properties,
        timezone: Type.Optional(Type.String({ description: 'Absent for spectators.' })),
      }),
    ),
  }),
  errors: [],
  service: UserListService,
  async handle(users, { actor, params }) {
    if (!isSpectator(actor)) {
      const options = optionsOf(params)
      const { user_ids } = params
      return {
        members:
          user_ids === undefined
            ? await users.listAll(actor, options)
            : await users.list(actor, user_ids, options),
      }
    }
    const plain = { clientGravatar: false, withProfileData: false }
    const members = await users.list(actor, params.user_ids, plain)
    return { members: members.map(redactForSpectators) }
  },
})

const getOwnUser = defineOperation({
  id: 'get-own-user',
  summary: 'Get the calling user or bot.',
  method: 'GET',
  path: '/users/me',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object({ ...ListedUser.properties, max_message_id: Type.Integer() }),
  errors: [],
  service: UserListService,
  async handle(users, { actor }) {
    return users.getOwn(actor)
  },
})

const getUser = defineOperation({
  id: 'get-user',
  summary: 'Get a user or bot, active or not.',
  method: 'GET',
  path: '/users/{user_id}',
  access: 'user',
  params: { user_id: Bounded.id(), ...viewParameters },
  clientParameters,
  response: Type.Object({ user: ListedUser }),
  errors: ['BAD_REQUEST'],
  service: UserListService,
  async handle(users, { actor, params }) {
    return { user: await users.get(actor, params.user_id, optionsOf(params)) }
  },
})

const getUserByEmail = defineOperation({
  id: 'get-user-by-email',
  summary:
    'Get a user or bot by an email address that the caller may see, or by the address that is shown to all users.',
  method: 'GET',
  path: '/users/{email}',
  access: 'user',
  params: { email: Bounded.name(), ...viewParameters },
  clientParameters,
  response: Type.Object({ user: ListedUser }),
  errors: ['BAD_REQUEST'],
  service: UserListService,
  async handle(users, { actor, params }) {
    return { user: await users.getByEmail(actor, params.email, optionsOf(params)) }
  },
})

function optionsOf(params: { client_gravatar: boolean; include_custom_profile_fields: boolean }) {
  return {
    clientGravatar: params.client_gravatar,
    withProfileData: params.include_custom_profile_fields,
  }
}

export const userList = defineResource({
  operations: [getUsers, getOwnUser, getUser, getUserByEmail],
  snapshot: userListSnapshot,
})
