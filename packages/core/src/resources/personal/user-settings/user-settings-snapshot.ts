import { Type } from 'typebox'

import {
  emojisetChoices,
  notificationSounds,
  parseUserSettings,
  type LegacySettingEvent,
  type UserSettings,
} from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  defineSnapshot,
  type SnapshotContext,
  type SnapshotValues,
} from '../../../resource-definition/snapshot.js'
import { settingDefinitions, settingSchemas } from './setting-parameters.js'

const ownSettings = settingSchemas('own')
const { timezone: _timezone, ...newcomersSettings } = settingSchemas('newcomers')
const legacySettings = Object.fromEntries(
  settingDefinitions
    .filter(([, { legacyEvent }]) => legacyEvent !== undefined)
    .map(([name]) => [name, ownSettings[name]]),
)
const choices = {
  emojiset_choices: Type.Array(Type.Object({ key: Type.String(), text: Type.String() })),
  available_notification_sounds: Type.Array(Type.String()),
}

/** The keys of this part of the snapshot. */
const userSettingKeys = {
  user_settings: Type.Object({ ...ownSettings, ...choices }),
  realm_user_settings_defaults: Type.Object({ ...newcomersSettings, ...choices }),
  // Deprecated: the same as in `user_settings`.
  ...legacySettings,
  ...choices,
}

/**
 * `user_settings`, the deprecated top-level copies for older clients, and the defaults of new
 * users.
 */
@perServer()
export class UserSettingsSnapshot {
  async load(context: SnapshotContext): Promise<SnapshotValues<typeof userSettingKeys>> {
    const { self, organization } = context
    const settings = settingsOf(self)
    const isLegacy = context.queue.capabilities.user_settings_object !== true
    return {
      ...(context.wants('user_settings')
        ? {
            user_settings: {
              ...settings,
              emojiset_choices: emojisetChoices,
              available_notification_sounds: notificationSounds,
            },
          }
        : {}),
      ...(isLegacy && context.wants('update_display_settings')
        ? { ...legacyCopies(settings, 'display'), emojiset_choices: emojisetChoices }
        : {}),
      ...(isLegacy && context.wants('update_global_notifications')
        ? {
            ...legacyCopies(settings, 'notifications'),
            available_notification_sounds: notificationSounds,
          }
        : {}),
      ...(context.wants('realm_user_settings_defaults')
        ? {
            realm_user_settings_defaults: {
              ...forNewUsers(organization),
              emojiset_choices: emojisetChoices,
              available_notification_sounds: notificationSounds,
            },
          }
        : {}),
    }
  }
}

/** A user's settings, including those with columns of their own. */
export function settingsOf(user: SnapshotContext['self']): UserSettings {
  return {
    ...parseUserSettings(user.settings),
    timezone: user.timezone,
    email_address_visibility: user.email_address_visibility,
  }
}

function legacyCopies(settings: UserSettings, event: LegacySettingEvent): Record<string, unknown> {
  return Object.fromEntries(
    settingDefinitions
      .filter(([, definition]) => definition.legacyEvent === event)
      .map(([name]) => [name, settings[name]]),
  )
}

/** The default settings of new users; there is no default time zone. */
function forNewUsers({
  userDefaults,
  settings,
}: SnapshotContext['organization']): Omit<UserSettings, 'timezone'> {
  const { timezone: _, ...defaults } = userDefaults
  return { ...defaults, default_language: settings.default_language }
}

export const userSettingsSnapshot = defineSnapshot({
  keys: userSettingKeys,
  service: UserSettingsSnapshot,
  load: async (service, context) => service.load(context),
})
