import { Type } from 'typebox'

import { organizationPermissions } from '../../../domain/organizations/organization-settings.js'
import { defineOperation } from '../../../http/operation.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { GroupSettingUpdate, GroupSettingValue } from '../../groups/user-groups/index.js'
import { organizationSettingDefinitions } from './organization-setting-definitions.js'
import { OrganizationSettingsService } from './organization-settings-service.js'
import { realmSnapshot } from './realm-snapshot.js'

export { keptSettings } from './organization-setting-definitions.js'
export { requireJitsiUrl } from './organization-setting-values.js'

const names = keysOf(organizationSettingDefinitions)
const permissionNames = keysOf(organizationPermissions)

const AuthenticationMethods = Type.Record(Type.String(), Type.Boolean(), {
  maxJsonLength: 10_000,
  description:
    'Whether each authentication method is enabled, by the name of the method. Methods that are left out do not change.',
})

const parameters = {
  ...fromKeys(names, (name) => Type.Optional(organizationSettingDefinitions[name].parameter)),
  authentication_methods: Type.Optional(AuthenticationMethods),
  ...fromKeys(permissionNames, () => Type.Optional(GroupSettingUpdate)),
}

const answers = {
  ...fromKeys(names, (name) => Type.Optional(organizationSettingDefinitions[name].answer)),
  authentication_methods: Type.Optional(AuthenticationMethods),
  ...fromKeys(permissionNames, () => Type.Optional(GroupSettingValue)),
}

const updateRealm = defineOperation({
  id: 'update-realm',
  summary: "Change the organization's settings. Returns the settings that changed.",
  method: 'PATCH',
  path: '/realm',
  access: 'administrator',
  params: parameters,
  response: Type.Object(answers, { additionalProperties: false }),
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED_PRINCIPAL',
    'REQUEST_VARIABLE_INVALID',
    'EXPECTATION_MISMATCH',
    'SYSTEM_GROUP_REQUIRED',
  ],
  service: OrganizationSettingsService,
  async handle(settings, { actor, params }) {
    return settings.change(actor, params)
  },
})

export const organizationSettings = defineResource({
  operations: [updateRealm],
  snapshot: realmSnapshot,
})
