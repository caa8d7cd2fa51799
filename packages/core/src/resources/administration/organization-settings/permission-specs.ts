import {
  channelPermissions,
  groupPermissions,
  organizationPermissions,
  type PermissionSettingDefinition,
} from '../../../domain/organizations/organization-settings.js'

/** The options of a permission setting that a client may offer; names as on the wire. */
export interface PermissionSpec {
  readonly require_system_group: boolean
  readonly allow_internet_group: false
  readonly allow_nobody_group: boolean
  readonly allow_everyone_group: boolean
  readonly default_group_name: string
  readonly default_for_system_groups: string | null
  readonly allowed_system_groups: readonly string[]
}

/** Every permission setting of organizations, channels and groups, as sent to clients. */
export const supportedPermissionSettings: Readonly<
  Record<'realm' | 'stream' | 'group', Readonly<Record<string, PermissionSpec>>>
> = {
  realm: specsOf(organizationPermissions),
  stream: specsOf(channelPermissions),
  group: specsOf(groupPermissions),
}

function specsOf(
  definitions: Readonly<Record<string, PermissionSettingDefinition>>,
): Record<string, PermissionSpec> {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      {
        require_system_group: definition.requiresSystemGroup ?? false,
        allow_internet_group: false,
        allow_nobody_group: definition.allowsNobody,
        allow_everyone_group: definition.allowsEveryone,
        default_group_name: definition.default,
        default_for_system_groups: definition.defaultForSystemGroups ?? null,
        allowed_system_groups: definition.allowedSystemGroups ?? [],
      },
    ]),
  )
}
