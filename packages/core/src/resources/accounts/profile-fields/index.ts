import { defineResource } from '../../../resource-definition/resource.js'
import { profileFieldsChanged } from './profile-field-events.js'
import { profileFieldFile } from './profile-field-file-section.js'
import {
  createCustomProfileField,
  deleteCustomProfileField,
  getCustomProfileFields,
  reorderCustomProfileFields,
  updateCustomProfileField,
} from './profile-field-operations.js'
import { profileFieldSnapshot } from './profile-field-snapshot.js'
import { removeProfileData, updateProfileData } from './profile-value-operations.js'

export { FileProfileData } from './profile-field-file-section.js'
export { profileFieldsChanged } from './profile-field-events.js'
export { ProfileValueItem } from './profile-field-schemas.js'
export { StoredProfileValues } from './stored-profile-values.js'
export { SyncedProfileValues } from './synced-profile-values.js'

export const profileFields = defineResource({
  operations: [
    getCustomProfileFields,
    createCustomProfileField,
    updateCustomProfileField,
    deleteCustomProfileField,
    reorderCustomProfileFields,
    updateProfileData,
    removeProfileData,
  ],
  events: [profileFieldsChanged],
  snapshot: profileFieldSnapshot,
  fileSection: profileFieldFile,
})
