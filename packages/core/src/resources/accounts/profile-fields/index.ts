import {
  createCustomProfileField,
  deleteCustomProfileField,
  getCustomProfileFields,
  reorderCustomProfileFields,
  updateCustomProfileField,
} from './profile-field-operations.js'
import { removeProfileData, updateProfileData } from './profile-value-operations.js'

export { FileProfileData, profileFieldFile } from './profile-field-file-section.js'
export { profileFieldEvents } from './profile-field-events.js'
export { ProfileValueItem } from './profile-field-schemas.js'
export { ProfileFieldSection, profileFieldKeys } from './profile-field-snapshot.js'
export { StoredProfileValues } from './stored-profile-values.js'

/** Every operation on custom profile fields and their values. */
export const profileFieldOperations = [
  getCustomProfileFields,
  createCustomProfileField,
  updateCustomProfileField,
  deleteCustomProfileField,
  reorderCustomProfileFields,
  updateProfileData,
  removeProfileData,
] as const
