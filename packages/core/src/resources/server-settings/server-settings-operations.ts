import { Type } from 'typebox'

import { announcedVersion, featureLevel } from '../../domain/limits.js'
import { defineOperation } from '../../http/operation.js'
import { ServerSettingsService } from './server-settings-service.js'

export const getServerSettings = defineOperation({
  id: 'get-server-settings',
  summary: 'What a client needs to know before anybody has logged in.',
  method: 'GET',
  path: '/server_settings',
  access: 'anyone',
  servesUnknownHosts: true,
  params: {},
  response: Type.Object({}, { additionalProperties: true }),
  errors: [],
  service: ServerSettingsService,
  async handle(settings, { request }) {
    return {
      zulip_version: announcedVersion,
      zulip_merge_base: announcedVersion,
      zulip_feature_level: featureLevel,
      ...(await settings.describe(request.organization.id, request.origin)),
    }
  },
})
