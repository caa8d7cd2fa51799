import { foldCase } from '../../../domain/texts/folding.js'
import type { Role } from '../../../domain/users/actor.js'
import type { UserSettingsJson } from '../../../domain/users/user-settings.js'
import type { NewRow } from '../../../storage/index.js'

export interface MutedUserRow {
  organization_id: number
  user_id: number
  muted_user_id: number
  muted_at_seconds: number
}

export interface UserRow {
  id: number
  organization_id: number
  /** The application's id of the user, if its login authenticates them. */
  external_id: string | null
  /** The real address. */
  email: string
  email_key: string
  full_name: string
  /** Derived from `full_name` by the repository. */
  full_name_key: string
  role: Role
  is_active: boolean
  is_bot: boolean
  bot_type: number | null
  bot_owner_id: number | null
  joined_at_milliseconds: number
  timezone: string
  /** `G` gravatar, `U` uploaded or the application's. */
  avatar_source: 'G' | 'U'
  /** Part of the picture's URL; null without one. */
  avatar_name: string | null
  /** Where the application has the picture, if it is not an uploaded one. */
  application_avatar_url: string | null
  avatar_version: number
  email_address_visibility: number
  can_create_users: boolean
  can_change_user_emails: boolean
  /** PHC string; null if no password was ever set. */
  password_hash: string | null
  /** SHA-256 of the API key, hexadecimal. */
  api_key_hash: string
  api_key_sealed: string
  settings: UserSettingsJson
}

/** A row to insert, without what the repository derives. */
export type NewUserRow = Omit<NewRow<UserRow>, 'full_name_key'>

/** Adds what the repository derives. */
export function completeUserRow(row: NewUserRow): NewRow<UserRow> {
  return { ...row, full_name_key: foldCase(row.full_name) }
}

/** The columns that clients can see of a user. */
export const viewColumns = [
  'id',
  'organization_id',
  'external_id',
  'email',
  'full_name',
  'role',
  'is_active',
  'is_bot',
  'bot_type',
  'bot_owner_id',
  'joined_at_milliseconds',
  'timezone',
  'avatar_source',
  'avatar_name',
  'avatar_version',
  'email_address_visibility',
] as const satisfies readonly (keyof UserRow)[]

/** The part of a user's row that clients can see. */
export type ViewableUser = Pick<UserRow, (typeof viewColumns)[number]>
