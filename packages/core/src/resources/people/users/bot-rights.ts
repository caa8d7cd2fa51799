import { hasRole, isApplication, Role, type Actor } from '../../../domain/users/actor.js'
import type { UserRow } from './users-table.js'

type BotColumns = Pick<
  UserRow,
  'id' | 'bot_owner_id' | 'role' | 'can_create_users' | 'can_change_user_emails'
>

/** The columns that decide who can manage a bot, and the role of its owner; null without one. */
export type BotRights = BotColumns & { readonly owner_role: Role | null }

/** A user, not a bot, who may manage bots. */
export type BotViewer = Pick<UserRow, 'id' | 'role'>

/**
 * Whether `viewer` would gain no permissions from `bot`. A bot can post where its owner can, so it
 * ranks as the stronger of itself and its owner. Permissions that the operator has given to a bot
 * rank above every role except the owner's.
 */
export function coversRights(viewer: Pick<BotViewer, 'role'>, bot: BotRights): boolean {
  if (viewer.role === Role.owner) return true
  const strongestRole = Math.min(bot.role, bot.owner_role ?? bot.role)
  return strongestRole >= viewer.role && !bot.can_create_users && !bot.can_change_user_emails
}

/**
 * Whether `viewer` can manage `bot`: change all of its data, and replace its key. Administrators
 * and the bot's owner can, unless the bot has more permissions than they have.
 */
export function managesBot(viewer: BotViewer, bot: BotRights): boolean {
  const isResponsible = hasRole(viewer, Role.administrator) || bot.bot_owner_id === viewer.id
  return isResponsible && coversRights(viewer, bot)
}

/**
 * Whether `viewer` is shown the API key and the webhook token of `bot`: only an owner who manages
 * it is, and the application, because the bot can post in private channels of its owner.
 */
export function seesSecrets(viewer: Pick<Actor, 'userId' | 'role'>, bot: BotColumns): boolean {
  if (isApplication(viewer)) return true
  const isOwner = bot.bot_owner_id === viewer.userId
  return isOwner && coversRights(viewer, { ...bot, owner_role: viewer.role })
}
