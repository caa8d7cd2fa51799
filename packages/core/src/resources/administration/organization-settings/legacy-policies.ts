import type { OrganizationPermission } from '../../../domain/organizations/organization-settings.js'

/** The numbers that older clients use in place of groups. */
const createChannel = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  // The old policies have no number for fewer people than the administrators.
  'role:owners': 2,
  'role:nobody': 2,
} as const

const createWebPublicChannel = {
  'role:administrators': 2,
  'role:moderators': 4,
  'role:nobody': 6,
  'role:owners': 7,
} as const

const mentionMany = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
  'role:owners': 5,
} as const

/**
 * The deprecated policies that older clients read in place of permission settings. If a setting
 * names no system group, the policy is "full members", the closest to "some of the members".
 *
 * @param systemGroupOf the name of the system group that a setting names, if it names one.
 */
export function legacyPolicies(
  systemGroupOf: (permission: OrganizationPermission) => string | undefined,
): Record<string, number> {
  const numberOf = (
    numbers: Readonly<Record<string, number>>,
    permission: OrganizationPermission,
  ): number => numbers[systemGroupOf(permission) ?? ''] ?? 3
  return {
    realm_create_public_stream_policy: numberOf(createChannel, 'can_create_public_channel_group'),
    realm_create_private_stream_policy: numberOf(createChannel, 'can_create_private_channel_group'),
    realm_create_web_public_stream_policy: numberOf(
      createWebPublicChannel,
      'can_create_web_public_channel_group',
    ),
    realm_wildcard_mention_policy: numberOf(mentionMany, 'can_mention_many_users_group'),
  }
}
