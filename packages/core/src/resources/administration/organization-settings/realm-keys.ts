import { Type, type TSchema } from 'typebox'

import { organizationImageNames } from '../../../domain/files/organization-images.js'
import { organizationPermissions } from '../../../domain/organizations/organization-settings.js'
import { GroupSettingValue } from '../../groups/user-groups/index.js'
import { keptSettings } from './organization-setting-definitions.js'
import { serverKeys } from './server-values.js'

const flag = Type.Boolean()
const integer = Type.Integer()
const text = Type.String()
const oldPolicy = Type.Integer({ description: 'Deprecated: replaced by a permission setting.' })

const {
  disabled_authentication_methods: _methods,
  password_auth_enabled: _password,
  ...shown
} = keptSettings

/** Settings that clients get under their own name, prefixed with `realm_`. */
export const plainSettings = shown

/** The keys that the snapshot adds to the response of `POST /register`. */
export const realmKeys: Readonly<Record<string, TSchema>> = {
  ...serverKeys,
  ...prefixed(plainSettings),
  ...prefixed(
    Object.fromEntries(
      Object.keys(organizationPermissions).map((name) => [name, GroupSettingValue]),
    ),
  ),
  ...prefixed(
    Object.fromEntries(
      organizationImageNames.flatMap((name) => [
        [`${name}_url`, text],
        [`${name}_source`, text],
      ]),
    ),
  ),
  realm_name: text,
  realm_url: text,
  realm_uri: Type.String({ description: 'Deprecated: the same as `realm_url`.' }),
  realm_bot_domain: text,
  realm_date_created: Type.Integer({ description: 'UNIX seconds.' }),
  realm_plan_type: integer,
  realm_allow_edit_history: flag,
  realm_mandatory_topics: flag,
  realm_email_auth_enabled: flag,
  realm_password_auth_enabled: flag,
  realm_authentication_methods: Type.Record(
    Type.String(),
    Type.Object({
      enabled: flag,
      available: flag,
      unavailable_reason: Type.Optional(text),
    }),
  ),
  realm_available_video_chat_providers: Type.Record(
    Type.String(),
    Type.Object({ name: text, id: integer }),
  ),
  jitsi_server_url: Type.Optional(
    Type.String({
      description:
        'Deprecated: `realm_jitsi_server_url`, or `server_jitsi_server_url` without it. Absent if there is neither.',
    }),
  ),
  realm_create_public_stream_policy: oldPolicy,
  realm_create_private_stream_policy: oldPolicy,
  realm_create_web_public_stream_policy: oldPolicy,
  realm_wildcard_mention_policy: oldPolicy,
}

function prefixed(schemas: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`realm_${name}`, schema]),
  )
}
