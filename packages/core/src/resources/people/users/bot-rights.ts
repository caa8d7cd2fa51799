import { hasRole, Role } from '../../../domain/actor.js'
import type { UserRow } from './user-rows.js'

/** The columns that decide who can manage a bot. */
export type BotRights = Pick<
  UserRow,
  'id' | 'bot_owner_id' | 'role' | 'can_create_users' | 'can_change_user_emails'
>

/** A user, not a bot, who may manage bots. */
export type BotViewer = Pick<UserRow, 'id' | 'role'>

/**
 * Whether `viewer` would gain no permissions from the API key of `bot`. Permissions that the
 * operator has given to a bot rank above every role except the owner's.
 */
export function coversRights(viewer: Pick<BotViewer, 'role'>, bot: BotRights): boolean {
  if (viewer.role === Role.owner) return true
  return bot.role >= viewer.role && !bot.can_create_users && !bot.can_change_user_emails
}

/**
 * Whether `viewer` can manage `bot`: see its key, and change all of its data. Administrators and
 * the bot's owner can, unless the bot has more permissions than they have.
 */
export function managesBot(viewer: BotViewer, bot: BotRights): boolean {
  const isResponsible = hasRole(viewer, Role.administrator) || bot.bot_owner_id === viewer.id
  return isResponsible && coversRights(viewer, bot)
}
