import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { ProfileField, profileFieldTypes } from './profile-field-schemas.js'
import { ProfileFieldService } from './profile-field-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const profileFieldKeys = {
  custom_profile_fields: Type.Array(ProfileField),
  custom_profile_field_types: Type.Record(
    Type.String(),
    Type.Object({ id: Type.Integer(), name: Type.String() }),
  ),
}

/** The custom profile fields and the available field types. */
@perServer()
export class ProfileFieldSection implements SnapshotSection {
  constructor(@inject(ProfileFieldService) private readonly fields: ProfileFieldService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('custom_profile_fields')) return {}
    return {
      custom_profile_fields: await this.fields.list(context.scope),
      custom_profile_field_types: profileFieldTypes,
    }
  }
}
