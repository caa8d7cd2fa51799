import { Type } from 'typebox'

import { announcedVersion, featureLevel } from '../../../domain/limits.js'
import { defineOperation } from '../../../http/operation.js'
import { fromKeys } from '../../../kernel/objects.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { neverOffered, ServerSettingsService } from './server-settings-service.js'

const methods = ['password', 'dev', 'email', 'ldap', ...neverOffered] as const

const AuthenticationMethods = Type.Object(fromKeys(methods, () => Type.Boolean()))

const ExternalAuthenticationMethod = Type.Object({
  name: Type.String(),
  display_name: Type.String(),
  display_icon: Type.Union([Type.String(), Type.Null()]),
  login_url: Type.String(),
  signup_url: Type.String(),
})

const getServerSettings = defineOperation({
  id: 'get-server-settings',
  summary: 'Get the settings of the server that clients need before authentication.',
  method: 'GET',
  path: '/server_settings',
  access: 'anyone',
  servesUnknownHosts: true,
  params: {},
  response: Type.Object({
    zulip_version: Type.String(),
    zulip_merge_base: Type.String(),
    zulip_feature_level: Type.Integer(),
    authentication_methods: AuthenticationMethods,
    external_authentication_methods: Type.Array(ExternalAuthenticationMethod),
    push_notifications_enabled: Type.Boolean(),
    is_incompatible: Type.Boolean({ description: 'Whether the client is too old for the server.' }),
    email_auth_enabled: Type.Boolean(),
    require_email_format_usernames: Type.Boolean(),
    realm_url: Type.String(),
    realm_uri: Type.String(),
    realm_name: Type.Optional(
      Type.String({ description: 'Absent if there is no organization at the host.' }),
    ),
    realm_icon: Type.Optional(Type.String()),
    realm_description: Type.Optional(Type.String({ description: 'HTML.' })),
    realm_web_public_access_enabled: Type.Optional(Type.Boolean()),
  }),
  errors: [],
  service: ServerSettingsService,
  async handle(settings, { request }) {
    return {
      zulip_version: announcedVersion,
      zulip_merge_base: announcedVersion,
      zulip_feature_level: featureLevel,
      is_incompatible: request.userAgent.startsWith('ZulipInvalid'),
      ...(await settings.describe(request.organization.id, request.chatUrl)),
    }
  },
})

export const serverSettings = defineResource({
  operations: [getServerSettings],
})
