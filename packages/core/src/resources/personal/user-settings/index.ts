import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { userSettingChanged } from '../../people/users/index.js'
import { NewcomerSettingsService } from './newcomer-settings-service.js'
import { settingChanges, settingParameters } from './setting-parameters.js'
import {
  displaySettingChanged,
  newcomerSettingChanged,
  notificationSettingChanged,
} from './user-settings-events.js'
import { UserSettingsService } from './user-settings-service.js'
import { userSettingsSnapshot } from './user-settings-snapshot.js'

export { requireSettings } from './setting-rules.js'
export { UserSettingsService } from './user-settings-service.js'

/** The paths at which clients of different ages change their user's settings. */
const ownSettingsPaths = {
  'update-settings': '/settings',
  'update-display-settings': '/settings/display',
  'update-notification-settings': '/settings/notifications',
} as const

function defineOwnSettings(id: keyof typeof ownSettingsPaths) {
  return defineOperation({
    id,
    summary: "Change the caller's own settings, name and password.",
    method: 'PATCH',
    path: ownSettingsPaths[id],
    access: 'human',
    isPersonal: true,
    params: {
      full_name: Type.Optional(Bounded.name({ contentKind: 'user.fullName' })),
      email: Type.Optional(
        Bounded.name({
          description:
            'Takes effect when the user opens the link that is mailed to the new address.',
        }),
      ),
      old_password: Type.Optional(Bounded.name({ maxLength: 10_000 })),
      new_password: Type.Optional(Bounded.name({ maxLength: 10_000 })),
      ...settingParameters('own'),
    },
    response: Type.Object({}),
    errors: ['BAD_REQUEST'],
    service: UserSettingsService,
    undocumented: id !== 'update-settings',
    aliasOf: 'update-settings',
    async handle(settings, { actor, params, request }) {
      const changes = {
        settings: settingChanges(params),
        fullName: params.full_name,
        email: params.email,
        chatUrl: request.chatUrl,
        remoteAddress: request.remoteAddress,
        oldPassword: params.old_password,
        newPassword: params.new_password,
      }
      await settings.update(actor, changes, request.rateLimitHeaders)
      return {}
    },
  })
}

const updateSettings = defineOwnSettings('update-settings')
const updateDisplaySettings = defineOwnSettings('update-display-settings')
const updateNotificationSettings = defineOwnSettings('update-notification-settings')

const updateRealmUserSettingsDefaults = defineCommand({
  id: 'update-realm-user-settings-defaults',
  summary: 'Change the default settings of future users.',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  access: 'administrator',
  params: settingParameters('newcomers'),
  errors: ['BAD_REQUEST'],
  service: NewcomerSettingsService,
  handle: (settings, { actor, params }) => settings.update(actor, settingChanges(params)),
})

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
