import { Type } from 'typebox'

import { Bounded, maxObjects } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { ProfileValueItem } from './profile-field-schemas.js'
import { StoredProfileValues } from './stored-profile-values.js'

export const updateProfileData = defineCommand({
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
  errors: ['BAD_REQUEST'],
  service: StoredProfileValues,
  handle: (values, { actor, params }) => values.changeOwn(actor, params.data),
})

export const removeProfileData = defineCommand({
  id: 'remove-profile-data',
  summary: "Remove values of the caller's own custom profile fields.",
  method: 'DELETE',
  path: '/users/me/profile_data',
  access: 'human',
  isPersonal: true,
  params: { data: Bounded.ids({ description: 'The ids of the fields.' }) },
  errors: ['BAD_REQUEST'],
  service: StoredProfileValues,
  handle: (values, { actor, params }) =>
    values.changeOwn(
      actor,
      params.data.map((id) => ({ id, value: null })),
    ),
})
