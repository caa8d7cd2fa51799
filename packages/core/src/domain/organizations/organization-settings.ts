/**
 * The system groups, least privileged last; from the owners on, each contains the ones before it.
 */
export const systemGroupNames = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
  'role:internet',
] as const
export type SystemGroupName = (typeof systemGroupNames)[number]

/** The allowed values and the default of a permission setting. */
export interface PermissionSettingDefinition {
  /** The system group in a new organization, channel or group. */
  readonly default: SystemGroupName | 'stream_creator_or_nobody' | 'group_creator'
  readonly allowsNobody: boolean
  /** If false, guests never have the permission, even if they are members of the group. */
  readonly allowsEveryone: boolean
  readonly requiresSystemGroup?: boolean
  /** The only system groups that are allowed; empty or absent means all. */
  readonly allowedSystemGroups?: readonly SystemGroupName[]
  /** The value for the system groups themselves. */
  readonly defaultForSystemGroups?: SystemGroupName
}

function permission(
  defaultGroup: PermissionSettingDefinition['default'],
  allowed: 'nobody' | 'everyone' | 'nobody or everyone' | 'neither',
  more: Partial<PermissionSettingDefinition> = {},
): PermissionSettingDefinition {
  return {
    default: defaultGroup,
    allowsNobody: allowed === 'nobody' || allowed === 'nobody or everyone',
    allowsEveryone: allowed === 'everyone' || allowed === 'nobody or everyone',
    ...more,
  }
}

/** The default system group of a setting, for an object that no user has created. */
export function defaultGroup({ default: group }: PermissionSettingDefinition): SystemGroupName {
  return group === 'stream_creator_or_nobody' || group === 'group_creator' ? 'role:nobody' : group
}

/** The organization's permission settings, under their names in `PATCH /realm`. */
export const organizationPermissions = {
  can_access_all_users_group: permission('role:everyone', 'everyone', {
    requiresSystemGroup: true,
    allowedSystemGroups: ['role:everyone', 'role:members'],
  }),
  can_add_custom_emoji_group: permission('role:members', 'nobody'),
  can_add_subscribers_group: permission('role:members', 'nobody'),
  can_create_bots_group: permission('role:members', 'nobody'),
  can_create_groups: permission('role:members', 'nobody'),
  can_create_private_channel_group: permission('role:members', 'nobody'),
  can_create_public_channel_group: permission('role:members', 'nobody'),
  can_create_web_public_channel_group: permission('role:owners', 'nobody', {
    requiresSystemGroup: true,
    allowedSystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: permission('role:members', 'nobody'),
  can_delete_any_message_group: permission('role:administrators', 'nobody'),
  can_delete_own_message_group: permission('role:everyone', 'nobody or everyone'),
  can_invite_users_group: permission('role:members', 'nobody'),
  can_manage_all_groups: permission('role:owners', 'neither'),
  can_manage_billing_group: permission('role:administrators', 'neither'),
  can_mention_many_users_group: permission('role:administrators', 'nobody or everyone'),
  can_move_messages_between_channels_group: permission('role:members', 'nobody'),
  can_move_messages_between_topics_group: permission('role:everyone', 'nobody or everyone'),
  can_resolve_topics_group: permission('role:everyone', 'nobody or everyone'),
  can_set_delete_message_policy_group: permission('role:moderators', 'nobody'),
  can_set_topics_policy_group: permission('role:members', 'nobody or everyone'),
  can_summarize_topics_group: permission('role:everyone', 'nobody or everyone'),
  create_multiuse_invite_group: permission('role:administrators', 'nobody'),
  direct_message_initiator_group: permission('role:everyone', 'nobody or everyone'),
  direct_message_permission_group: permission('role:everyone', 'nobody or everyone'),
} as const satisfies Record<string, PermissionSettingDefinition>
export type OrganizationPermission = keyof typeof organizationPermissions

/** A channel's permission settings. */
export const channelPermissions = {
  can_add_subscribers_group: permission('role:nobody', 'nobody'),
  can_administer_channel_group: permission('stream_creator_or_nobody', 'nobody'),
  can_delete_any_message_group: permission('role:nobody', 'nobody or everyone'),
  can_delete_own_message_group: permission('role:nobody', 'nobody or everyone'),
  can_move_messages_out_of_channel_group: permission('role:nobody', 'nobody or everyone'),
  can_move_messages_within_channel_group: permission('role:nobody', 'nobody or everyone'),
  can_remove_subscribers_group: permission('role:administrators', 'nobody or everyone'),
  can_resolve_topics_group: permission('role:nobody', 'nobody or everyone'),
  can_send_message_group: permission('role:everyone', 'nobody or everyone'),
  can_subscribe_group: permission('role:nobody', 'nobody'),
} as const satisfies Record<string, PermissionSettingDefinition>
export type ChannelPermission = keyof typeof channelPermissions

/** A user group's permission settings. */
export const groupPermissions = {
  can_add_members_group: permission('group_creator', 'nobody', {
    defaultForSystemGroups: 'role:nobody',
  }),
  can_join_group: permission('role:nobody', 'nobody', { defaultForSystemGroups: 'role:nobody' }),
  can_leave_group: permission('role:everyone', 'nobody or everyone', {
    defaultForSystemGroups: 'role:nobody',
  }),
  can_manage_group: permission('group_creator', 'nobody', {
    defaultForSystemGroups: 'role:nobody',
  }),
  can_mention_group: permission('role:everyone', 'nobody or everyone', {
    defaultForSystemGroups: 'role:nobody',
  }),
  can_remove_members_group: permission('role:nobody', 'nobody', {
    defaultForSystemGroups: 'role:nobody',
  }),
} as const satisfies Record<string, PermissionSettingDefinition>
export type GroupPermission = keyof typeof groupPermissions

/** The organization's other settings, with their values in a new organization. */
export interface OrganizationSettings {
  description: string
  allow_message_editing: boolean
  message_content_edit_limit_seconds: number | null
  message_content_delete_limit_seconds: number | null
  move_messages_within_stream_limit_seconds: number | null
  move_messages_between_streams_limit_seconds: number | null
  message_edit_history_visibility_policy: 'all' | 'moves' | 'none'
  topics_policy: 'allow_empty_topic' | 'disable_empty_topic'
  message_retention_days: number
  default_language: string
  invite_required: boolean
  emails_restricted_to_domains: boolean
  disallow_disposable_email_addresses: boolean
  waiting_period_threshold: number
  name_changes_disabled: boolean
  email_changes_disabled: boolean
  avatar_changes_disabled: boolean
  require_unique_names: boolean
  enable_spectator_access: boolean
  enable_read_receipts: boolean
  inline_image_preview: boolean
  inline_url_embed_preview: boolean
  digest_emails_enabled: boolean
  digest_weekday: number
  send_welcome_emails: boolean
  message_content_allowed_in_email_notifications: boolean
  welcome_message_custom_text: string
  default_code_block_language: string
  video_chat_provider: number
  jitsi_server_url: string | null
  giphy_rating: number
  want_advertise_in_communities_directory: boolean
  enable_guest_user_indicator: boolean
  enable_guest_user_dm_warning: boolean
  org_type: number
  push_notifications_enabled: boolean
  push_notifications_enabled_end_timestamp: number | null
  require_e2ee_push_notifications: boolean
  presence_disabled: boolean
  password_auth_enabled: boolean
  /** The names of the login methods that the organization has disabled. */
  disabled_authentication_methods: readonly string[]
  new_stream_announcements_stream_id: number
  signup_announcements_stream_id: number
  zulip_update_announcements_stream_id: number
  moderation_request_channel_id: number
}

export const defaultOrganizationSettings: OrganizationSettings = {
  description: '',
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  message_content_delete_limit_seconds: 600,
  move_messages_within_stream_limit_seconds: 604_800,
  move_messages_between_streams_limit_seconds: 604_800,
  message_edit_history_visibility_policy: 'all',
  topics_policy: 'allow_empty_topic',
  message_retention_days: -1,
  default_language: 'en',
  invite_required: true,
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  waiting_period_threshold: 0,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  require_unique_names: false,
  enable_spectator_access: false,
  enable_read_receipts: true,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  digest_emails_enabled: false,
  digest_weekday: 1,
  send_welcome_emails: true,
  message_content_allowed_in_email_notifications: true,
  welcome_message_custom_text: '',
  default_code_block_language: '',
  video_chat_provider: 1,
  jitsi_server_url: null,
  giphy_rating: 2,
  want_advertise_in_communities_directory: false,
  enable_guest_user_indicator: true,
  enable_guest_user_dm_warning: true,
  org_type: 0,
  push_notifications_enabled: false,
  push_notifications_enabled_end_timestamp: null,
  require_e2ee_push_notifications: false,
  presence_disabled: false,
  password_auth_enabled: true,
  disabled_authentication_methods: [],
  new_stream_announcements_stream_id: -1,
  signup_announcements_stream_id: -1,
  zulip_update_announcements_stream_id: -1,
  moderation_request_channel_id: -1,
}
