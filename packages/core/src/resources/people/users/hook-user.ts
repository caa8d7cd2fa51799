import type { HookUser } from '../../../events/application/operation-hooks.js'
import type { UserRow } from './users-table.js'

/** The user as the application's hooks see it. */
export function hookUserOf(user: UserRow): HookUser {
  return {
    id: user.id,
    externalId: user.external_id,
    email: user.email,
    fullName: user.full_name,
    role: user.role,
    isBot: user.is_bot,
  }
}
