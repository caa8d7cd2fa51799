import { foldCase } from '../../../domain/texts/folding.js'
import type { NewRow } from '../../../storage/index.js'
import type { UserRow } from './users-table.js'

/** A row to insert, without the columns that the repository derives. */
export type NewUserRow = Omit<NewRow<UserRow>, 'full_name_key'>

/** Adds the columns that the repository derives. */
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
