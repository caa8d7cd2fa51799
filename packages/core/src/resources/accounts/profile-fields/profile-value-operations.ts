import { Type } from 'typebox'

import { Bounded, maxObjects } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { ProfileValueItem } from './profile-field-schemas.js'
import { StoredProfileValues } from './stored-profile-values.js'

export const updateProfileData = defineOperation({
  id: 'update-profile-data',
  summary: "Set values of the caller's own custom profile fields.",
  method: 'PATCH',
  path: '/users/me/profile_data',
  access: 'human',
  isPersonal: true,
  params: {
    data: Type.Array(ProfileValueItem, {
      maxItems: maxObjects,
      description: 'An empty value removes the current one.',
    }),
  },
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: StoredProfileValues,
  async handle(values, { actor, params }) {
    await values.changeOwn(actor, params.data)
    return {}
  },
})

export const removeProfileData = defineOperation({
  id: 'remove-profile-data',
  summary: "Remove values of the caller's own custom profile fields.",
  method: 'DELETE',
  path: '/users/me/profile_data',
  access: 'human',
  isPersonal: true,
  params: { data: Bounded.ids({ description: 'The ids of the fields.' }) },
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: StoredProfileValues,
  async handle(values, { actor, params }) {
    await values.changeOwn(
      actor,
      params.data.map((id) => ({ id, value: null })),
    )
    return {}
  },
})
