import { createHash, randomBytes } from 'node:crypto'

import type { ServerFacts } from '../../../kernel/server-facts.js'
import type { UserRow } from './users-table.js'

/** The length of a picture's random name, in bytes. */
const nameBytes = 20

/** A name for the URL of a picture, which cannot be guessed. */
export function newAvatarName(): string {
  return randomBytes(nameBytes).toString('hex')
}

/** The columns that decide a user's avatar. */
type Pictured = Pick<
  UserRow,
  'id' | 'organization_id' | 'email' | 'avatar_name' | 'avatar_version' | 'email_address_visibility'
>

/** The avatar of users whom a guest cannot access. */
export function unknownAvatarUrl({ address }: Pick<ServerFacts, 'address'>): string {
  return address.file('/user_avatars/default/unknown.png?version=1')
}

/**
 * The URL of a user's avatar; a path unless it is a gravatar.
 *
 * The URL of a gravatar contains a hash of the email address, from which the address can be
 * guessed. So gravatars are only used for users whose address is visible to all users, and if the
 * server's options allow them.
 *
 * @param options.medium whether to return the larger image: 500 pixels wide instead of 100.
 * @returns null if the client computes the URL of the gravatar itself.
 */
export function avatarUrl(
  user: Pictured,
  facts: Pick<ServerFacts, 'gravatar' | 'address'>,
  options: { readonly clientGravatar: boolean; readonly medium?: boolean },
): string | null {
  const version = `version=${user.avatar_version}`
  const suffix = options.medium === true ? '-medium' : ''
  if (user.avatar_name !== null) {
    const { organization_id, avatar_name } = user
    return facts.address.file(
      `/user_avatars/${organization_id}/${avatar_name}${suffix}.png?${version}`,
    )
  }
  if (!facts.gravatar || user.email_address_visibility !== 1) {
    return facts.address.file(`/user_avatars/default/${user.id}${suffix}.png?${version}`)
  }
  if (options.clientGravatar) return null
  const hash = createHash('md5').update(user.email.toLowerCase()).digest('hex')
  const size = options.medium === true ? '&s=500' : ''
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${size}&${version}`
}

/** The same for clients that do not compute the URLs of gravatars. */
export function shownAvatarUrl(
  user: Pictured,
  facts: Pick<ServerFacts, 'gravatar' | 'address'>,
  options: { readonly medium?: boolean } = {},
): string {
  const url = avatarUrl(user, facts, { ...options, clientGravatar: false })
  if (url === null) throw new Error('An address is null only for clients that compute it')
  return url
}
