import { hasRole, Role } from '../../domain/actor.js'
import type { UserRow } from './user-repository.js'

/** What decides who may manage a bot. */
export type BotRights = Pick<
  UserRow,
  'id' | 'bot_owner_id' | 'role' | 'can_create_users' | 'can_change_user_emails'
>

/** Somebody who may manage bots: a user, not a bot. */
export type BotViewer = Pick<UserRow, 'id' | 'role'>

/**
 * Whether the key of `bot` gives `viewer` no rights that they do not have. Permissions that the
 * operator has given to a bot count as more than any role but the owner's.
 */
export function coversRights(viewer: Pick<BotViewer, 'role'>, bot: BotRights): boolean {
  if (viewer.role === Role.owner) return true
  return bot.role >= viewer.role && !bot.can_create_users && !bot.can_change_user_emails
}

/**
 * Whether `viewer` manages `bot`: sees its key, and may change everything about it. Administrators
 * and the bot's owner do, as far as the bot has no more rights than they have.
 */
export function managesBot(viewer: BotViewer, bot: BotRights): boolean {
  const isResponsible = hasRole(viewer, Role.administrator) || bot.bot_owner_id === viewer.id
  return isResponsible && coversRights(viewer, bot)
}
