import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import { LanguageName, SettingValue } from '../../people/users/index.js'

const isLegacy = (_: unknown, queue: EventQueueOptions): boolean =>
  queue.capabilities.user_settings_object !== true

export const displaySettingChanged = defineEvent({
  type: 'update_display_settings',
  summary:
    'Deprecated form of `user_settings` for clients without the capability `user_settings_object`.',
  payload: Type.Object({
    user: Type.String({ description: 'The address that is shown to all users.' }),
    setting_name: Type.String(),
    setting: SettingValue,
    language_name: LanguageName,
  }),
  isLegacy: true,
  accepts: isLegacy,
})

export const notificationSettingChanged = defineEvent({
  type: 'update_global_notifications',
  summary:
    'Deprecated form of `user_settings` for clients without the capability `user_settings_object`.',
  payload: Type.Object({
    user: Type.String({ description: 'The address that is shown to all users.' }),
    notification_name: Type.String(),
    setting: SettingValue,
  }),
  isLegacy: true,
  accepts: isLegacy,
})

export const newcomerSettingChanged = defineEvent({
  type: 'realm_user_settings_defaults',
  op: 'update',
  summary: 'A default setting of future users changed. Sent to all active users.',
  payload: Type.Object({ property: Type.String(), value: SettingValue }),
})
