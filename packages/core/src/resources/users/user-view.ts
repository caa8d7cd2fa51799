import { createHash } from 'node:crypto'

import { Role, type Actor } from '../../domain/actor.js'
import { standInDomain, type ServerFacts } from '../../kernel/server-facts.js'
import type { UserRow } from './user-repository.js'

/** A user as a client sees them; `delivery_email` and `avatar_url` depend on who looks. */
export interface UserObject {
  user_id: number
  email: string
  delivery_email: string | null
  full_name: string
  date_joined: string
  is_active?: boolean
  is_owner: boolean
  is_admin: boolean
  is_guest: boolean
  is_bot: boolean
  role: number
  timezone: string
  avatar_url: string | null
  avatar_version: number
  bot_type?: number | null
  bot_owner_id?: number | null
  is_system_bot?: boolean
  profile_data?: Record<string, { value: string; rendered_value?: string }>
}

/** The roles that see the real address of a user with each `email_address_visibility`. */
const weakestRoleThatSees: Readonly<Record<number, number>> = {
  1: Role.guest,
  2: Role.member,
  3: Role.administrator,
  4: 0,
  5: Role.moderator,
}

/** Whether the viewer may read the user's real address. */
export function seesRealEmail(
  viewer: Pick<Actor, 'userId' | 'role'>,
  user: Pick<UserRow, 'id' | 'email_address_visibility'>,
): boolean {
  if (viewer.userId === user.id) return true
  return viewer.role <= (weakestRoleThatSees[user.email_address_visibility] ?? 0)
}

/** The address that is safe to show to everyone: the real one, or a stand-in. */
export function apiEmail(
  user: Pick<UserRow, 'id' | 'email' | 'email_address_visibility'>,
  facts: ServerFacts,
): string {
  if (user.email_address_visibility === 1) return user.email
  return `user${user.id}@${standInDomain(facts)}`
}

/** The avatar's address; null only where the client computes the gravatar itself. */
export function avatarUrl(
  user: Pick<
    UserRow,
    'id' | 'organization_id' | 'email' | 'avatar_source' | 'avatar_version' | 'email_address_visibility'
  >,
  options: { clientGravatar: boolean; medium?: boolean },
): string | null {
  if (user.avatar_source === 'U') {
    const name = createHash('sha256').update(`avatar:${user.id}`).digest('hex').slice(0, 40)
    const size = options.medium === true ? '-medium' : ''
    return `/user_avatars/${user.organization_id}/${name}${size}.png?version=${user.avatar_version}`
  }
  if (options.clientGravatar && user.email_address_visibility === 1) return null
  const hash = createHash('md5').update(user.email.toLowerCase()).digest('hex')
  const size = options.medium === true ? '&s=500' : ''
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${size}&version=${user.avatar_version}`
}

/** `user` as `viewer` may see them. */
export function userObject(
  user: UserRow,
  viewer: Pick<Actor, 'userId' | 'role'>,
  facts: ServerFacts,
  options: { clientGravatar: boolean },
): UserObject {
  const isBot = Boolean(user.is_bot)
  return {
    user_id: user.id,
    email: apiEmail(user, facts),
    delivery_email: seesRealEmail(viewer, user) ? user.email : null,
    full_name: user.full_name,
    date_joined: new Date(user.joined_at_milliseconds).toISOString().replace('Z', '+00:00'),
    is_active: Boolean(user.is_active),
    is_owner: user.role === Role.owner,
    is_admin: user.role <= Role.administrator,
    is_guest: user.role === Role.guest,
    is_bot: isBot,
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarUrl(user, options),
    avatar_version: user.avatar_version,
    ...(isBot ? { bot_type: user.bot_type, bot_owner_id: user.bot_owner_id } : {}),
  }
}

/** The actor that a user's row stands for. */
export function actorOf(user: UserRow): Actor {
  return {
    organizationId: user.organization_id,
    userId: user.id,
    role: user.role,
    isBot: Boolean(user.is_bot),
    botType: user.bot_type,
    botOwnerId: user.bot_owner_id,
    joinedAtSeconds: Math.floor(user.joined_at_milliseconds / 1000),
    canCreateUsers: Boolean(user.can_create_users),
    canChangeUserEmails: Boolean(user.can_change_user_emails),
  }
}
