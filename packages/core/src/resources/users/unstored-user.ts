import type { UserRow } from './user-repository.js'

/** What is common to those who are in no table: they have nothing, and cannot log in. */
export const unstoredUser = {
  external_id: null,
  is_active: true,
  bot_owner_id: null,
  joined_at_milliseconds: 0,
  timezone: '',
  avatar_source: 'G',
  avatar_name: null,
  avatar_version: 1,
  email_address_visibility: 1,
  can_create_users: false,
  can_change_user_emails: false,
  password_hash: null,
  api_key_hash: '',
  api_key_sealed: '',
} satisfies Partial<UserRow>
