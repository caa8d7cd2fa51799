import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

/** The value of a setting of a user. */
export const SettingValue = Type.Union([Type.Boolean(), Type.Integer(), Type.String()])

/** Beside the setting `default_language`. */
export const LanguageName = Type.Optional(
  Type.String({ description: 'Only with `default_language`: the English name of the language.' }),
)

export const userSettingChanged = defineEvent({
  type: 'user_settings',
  op: 'update',
  summary: "One of the user's settings changed. Sent to the user's own clients.",
  payload: Type.Object({
    property: Type.String(),
    value: SettingValue,
    language_name: LanguageName,
  }),
})

export const mutedUsersChanged = defineEvent({
  type: 'muted_users',
  summary:
    "The user muted or unmuted another user. Sent to the user's own clients, with the whole list.",
  payload: Type.Object({
    muted_users: Type.Array(Type.Object({ id: Type.Integer(), timestamp: Type.Integer() })),
  }),
})
