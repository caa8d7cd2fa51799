import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { profileFieldTypes } from './profile-field-schemas.js'
import { ProfileFieldService } from './profile-field-service.js'

/** The custom profile fields and the types that they can have. */
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
