import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { ProfileField, profileFieldTypes } from './profile-field-schemas.js'
import { ProfileFieldService } from './profile-field-service.js'

/** The custom profile fields and the available field types. */
export const profileFieldSnapshot = defineSnapshot({
  keys: {
    custom_profile_fields: Type.Array(ProfileField),
    custom_profile_field_types: Type.Record(
      Type.String(),
      Type.Object({ id: Type.Integer(), name: Type.String() }),
    ),
  },
  fetchType: 'custom_profile_fields',
  service: ProfileFieldService,
  async load(fields, context) {
    return {
      custom_profile_fields: await fields.list(context.scope),
      custom_profile_field_types: profileFieldTypes,
    }
  },
})
