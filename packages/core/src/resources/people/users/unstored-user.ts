import type { UserRow } from './users-table.js'

/**
 * The common columns of users that are not in a table: they have no data and cannot authenticate.
 */
export const unstoredUser = {
  external_id: null,
  is_active: true,
  bot_owner_id: null,
  joined_at_milliseconds: 0,
  timezone: '',
  avatar_source: 'G',
  avatar_name: null,
  application_avatar_url: null,
  avatar_version: 1,
  email_address_visibility: 1,
  can_create_users: false,
  can_change_user_emails: false,
  password_hash: null,
  api_key_hash: '',
  api_key_sealed: '',
} satisfies Partial<UserRow>
