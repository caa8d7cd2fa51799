import { defineResource } from '../../../resource-definition/resource.js'
import { userSettingChanged } from '../../people/users/index.js'
import {
  displaySettingChanged,
  newcomerSettingChanged,
  notificationSettingChanged,
} from './user-settings-events.js'
import {
  updateDisplaySettings,
  updateNotificationSettings,
  updateRealmUserSettingsDefaults,
  updateSettings,
} from './user-settings-operations.js'
import { userSettingsSnapshot } from './user-settings-snapshot.js'

export { requireSettings } from './setting-rules.js'
export { UserSettingsService } from './user-settings-service.js'

export const userSettings = defineResource({
  operations: [
    updateSettings,
    updateDisplaySettings,
    updateNotificationSettings,
    updateRealmUserSettingsDefaults,
  ],
  events: [
    userSettingChanged,
    displaySettingChanged,
    notificationSettingChanged,
    newcomerSettingChanged,
  ],
  snapshot: userSettingsSnapshot,
})
