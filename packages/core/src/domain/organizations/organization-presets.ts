import { Role } from '../users/actor.js'
import type { UserSettings } from '../users/user-settings.js'
import type {
  OrganizationPermission,
  OrganizationSettings,
  SystemGroupName,
} from './organization-settings.js'

/** How the accounts of people begin who log in through the application. */
export interface NewUserRules {
  /** The role of a user for whom the application names none. */
  readonly role: typeof Role.member | typeof Role.guest
  /** Whether a new user gets a direct message of the Welcome Bot. */
  readonly isWelcomed: boolean
}

export const defaultNewUserRules: NewUserRules = { role: Role.member, isWelcomed: true }

/** How a new organization begins; everything can be changed afterwards. */
export interface OrganizationPreset {
  readonly newUsers: NewUserRules
  /** Whether it begins with the first channels, and messages in them. */
  readonly hasFirstChannels: boolean
  /** The settings that differ from those of other organizations. */
  readonly permissions: Partial<Record<OrganizationPermission, SystemGroupName>>
  readonly settings: Partial<OrganizationSettings>
  /** The personal settings of new users that differ. */
  readonly userDefaults: Partial<UserSettings>
}

/** What both presets for customers have: customers are guests who see only whom they talk to. */
const forCustomers = {
  newUsers: { role: Role.guest, isWelcomed: false },
  hasFirstChannels: false,
  permissions: {
    can_access_all_users_group: 'role:members',
    can_add_custom_emoji_group: 'role:administrators',
    can_create_bots_group: 'role:administrators',
    can_create_groups: 'role:administrators',
    can_create_public_channel_group: 'role:administrators',
    can_create_write_only_bots_group: 'role:administrators',
    can_invite_users_group: 'role:administrators',
    can_move_messages_between_topics_group: 'role:members',
  },
  settings: {
    email_changes_disabled: true,
    enable_guest_user_indicator: false,
    name_changes_disabled: true,
    send_welcome_emails: false,
  },
} as const

export const organizationPresets = {
  /** Colleagues, who see and write to each other. */
  team: {
    newUsers: defaultNewUserRules,
    hasFirstChannels: true,
    permissions: {},
    settings: {},
    userDefaults: {},
  },
  /** Customers, and a staff of members who answer them. */
  support: {
    ...forCustomers,
    permissions: {
      ...forCustomers.permissions,
      direct_message_initiator_group: 'role:members',
      direct_message_permission_group: 'role:members',
    },
    settings: { ...forCustomers.settings, enable_guest_user_dm_warning: false },
    userDefaults: { email_address_visibility: 2 },
  },
  /** Customers who write about things of the application, in the channels that it makes for them. */
  comments: {
    ...forCustomers,
    permissions: {
      ...forCustomers.permissions,
      can_add_subscribers_group: 'role:administrators',
      can_create_private_channel_group: 'role:administrators',
      direct_message_initiator_group: 'role:nobody',
      direct_message_permission_group: 'role:nobody',
    },
    userDefaults: { email_address_visibility: 3 },
  },
} as const satisfies Record<string, OrganizationPreset>
export type OrganizationPresetName = keyof typeof organizationPresets
