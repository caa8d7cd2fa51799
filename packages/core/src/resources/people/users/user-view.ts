import { isSpectator, Role, type Actor } from '../../../domain/users/actor.js'
import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { standInDomain, type ServerFacts } from '../../../kernel/server-facts.js'
import { avatarUrl, unknownAvatarUrl } from './avatar-url.js'
import type { ViewableUser } from './user-rows.js'
import type { UserRow } from './users-table.js'
import type { UserObject } from './user-schemas.js'

/** The weakest role that sees the real address of a user, by `email_address_visibility`. */
const weakestRoles: Readonly<Record<number, number>> = {
  1: Role.guest,
  2: Role.member,
  3: Role.administrator,
  4: 0,
  5: Role.moderator,
}

/** The `email_address_visibility` of users whose address is shown to nobody else. */
const visibleToSelfOnly = 4

/**
 * The user with the visibility of the address that applies to `viewer`: spectators see no address
 * of a user, and so no gravatar, whose URL contains a hash of it.
 */
export function asSeenBy<User extends Pick<UserRow, 'id' | 'email_address_visibility'>>(
  viewer: Pick<Actor, 'userId'>,
  user: User,
): User {
  if (!isSpectator(viewer) || isSystemBotId(user.id)) return user
  return { ...user, email_address_visibility: visibleToSelfOnly }
}

/** Whether the viewer may read the user's real address. */
function seesRealEmail(
  viewer: Pick<Actor, 'userId' | 'role'>,
  user: Pick<UserRow, 'id' | 'email_address_visibility'>,
): boolean {
  if (viewer.userId === user.id) return true
  return viewer.role <= weakestRoleThatSees(user)
}

/** The weakest role that sees the user's real address; 0 if only the user does. */
export function weakestRoleThatSees(user: Pick<UserRow, 'email_address_visibility'>): number {
  return weakestRoles[user.email_address_visibility] ?? 0
}

/**
 * The values of `email_address_visibility` for which exactly one of two roles sees real addresses.
 */
export function emailVisibilitiesBetween(role: Role, otherRole: Role): number[] {
  return Object.entries(weakestRoles)
    .filter(([, weakest]) => role <= weakest !== otherRole <= weakest)
    .map(([visibility]) => Number(visibility))
}

/** The address that is shown to all users with accounts: the real one, or a stand-in. */
export function apiEmail(
  user: Pick<UserRow, 'id' | 'email' | 'email_address_visibility'>,
  facts: ServerFacts,
): string {
  if (user.email_address_visibility === 1) return user.email
  return standInEmail(user.id, facts)
}

/** The address that replaces a real one that not all users may see. */
export function standInEmail(userId: number, facts: ServerFacts): string {
  return `user${userId}@${standInDomain(facts)}`
}

/** The user id of a case-folded stand-in address; undefined if it is not one. */
export function standInUserId(emailKey: string, facts: ServerFacts): number | undefined {
  const suffix = `@${standInDomain(facts)}`
  if (!emailKey.endsWith(suffix)) return undefined
  const digits = /^user([1-9][0-9]{0,9})$/.exec(emailKey.slice(0, -suffix.length))?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A user on the wire, for `viewer`. */
export function userObject(
  row: ViewableUser,
  viewer: Pick<Actor, 'userId' | 'role'>,
  facts: ServerFacts,
  options: { clientGravatar: boolean },
): UserObject {
  const user = asSeenBy(viewer, row)
  const isBot = user.is_bot
  return {
    user_id: user.id,
    email: apiEmail(user, facts),
    delivery_email: seesRealEmail(viewer, user) ? user.email : null,
    full_name: user.full_name,
    date_joined: new Date(user.joined_at_milliseconds).toISOString().replace('Z', '+00:00'),
    is_active: user.is_active,
    is_owner: user.role === Role.owner,
    is_admin: user.role <= Role.administrator,
    is_guest: user.role === Role.guest,
    is_bot: isBot,
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarUrl(user, facts, options),
    avatar_version: user.avatar_version,
    ...(isBot ? { bot_type: user.bot_type, bot_owner_id: user.bot_owner_id } : {}),
  }
}

/** The placeholder that guests get for users whom they cannot access. */
export function unknownUser(userId: number, facts: ServerFacts): UserObject {
  return {
    user_id: userId,
    email: standInEmail(userId, facts),
    delivery_email: null,
    full_name: 'Unknown user',
    date_joined: '1970-01-01T00:00:00.000+00:00',
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    role: Role.member,
    timezone: '',
    avatar_url: unknownAvatarUrl(facts),
    avatar_version: 1,
    profile_data: {},
  }
}

/** The actor of a user's row. */
export function actorOf(user: UserRow): Actor {
  return {
    organizationId: user.organization_id,
    userId: user.id,
    role: user.role,
    isBot: user.is_bot,
    botType: user.bot_type,
    botOwnerId: user.bot_owner_id,
    joinedAtSeconds: Math.floor(user.joined_at_milliseconds / 1000),
    canCreateUsers: user.can_create_users,
    canChangeUserEmails: user.can_change_user_emails,
  }
}
