import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

export const realmDeactivated = defineEvent({
  type: 'realm',
  op: 'deactivated',
  summary:
    'The organization was deactivated. All further requests are rejected. Sent to all users.',
  payload: Type.Object({ realm_id: Type.Integer() }),
})

/** A setting, by its name in `PATCH /realm`. */
export interface ChangedSetting {
  readonly property: string
  readonly value: boolean | number | string | null
}

export const realmUpdated = defineEvent({
  type: 'realm',
  op: 'update',
  summary: 'A setting of the organization changed. Sent to all users.',
  payload: Type.Object({
    property: Type.String(),
    value: Type.Union([Type.Boolean(), Type.Number(), Type.String(), Type.Null()]),
  }),
})

export const realmSettingsUpdated = defineEvent<{
  /** The settings by their names in `PATCH /realm`. */
  readonly data: Readonly<Record<string, unknown>>
}>({
  type: 'realm',
  op: 'update_dict',
  summary: 'Settings of the organization that belong together changed. Sent to all users.',
  payload: Type.Object({
    property: Type.Literal('default', { description: 'Always `default`.' }),
    data: Type.Record(Type.String(), Type.Unknown()),
  }),
  render: ({ data }) => [{ type: 'realm', op: 'update_dict', property: 'default', data }],
})
