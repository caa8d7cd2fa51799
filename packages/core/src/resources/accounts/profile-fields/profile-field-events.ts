import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { ProfileField } from './profile-field-schemas.js'

export const profileFieldsChanged = defineEvent({
  type: 'custom_profile_fields',
  summary:
    'The custom profile fields changed. Contains all of them in order. Sent to all active users.',
  payload: Type.Object({ fields: Type.Array(ProfileField) }),
})
