import { createHash } from 'node:crypto'

import type { ServerFacts } from '../../kernel/server-facts.js'
import type { UserRow } from './user-repository.js'

/** What decides which picture of a user is shown. */
type Pictured = Pick<
  UserRow,
  'id' | 'organization_id' | 'email' | 'avatar_name' | 'avatar_version' | 'email_address_visibility'
>

/** The picture of those whom a guest may not access. */
export const unknownAvatarUrl = '/user_avatars/default/unknown.png?version=1'

/**
 * The address of a user's picture, relative to the organization's address unless it is a gravatar.
 *
 * A gravatar's address has a hash of the e-mail address, which can be guessed from it. So only those
 * whose address everyone may see have one, where the server's options allow gravatars.
 *
 * @param options.medium whether the larger one is meant: 500 pixels wide instead of 100.
 * @returns null where the client computes the address of the gravatar itself.
 */
export function avatarUrl(
  user: Pictured,
  facts: Pick<ServerFacts, 'gravatar'>,
  options: { readonly clientGravatar: boolean; readonly medium?: boolean },
): string | null {
  const version = `version=${user.avatar_version}`
  const suffix = options.medium === true ? '-medium' : ''
  if (user.avatar_name !== null) {
    return `/user_avatars/${user.organization_id}/${user.avatar_name}${suffix}.png?${version}`
  }
  if (!facts.gravatar || user.email_address_visibility !== 1) {
    return `/user_avatars/default/${user.id}${suffix}.png?${version}`
  }
  if (options.clientGravatar) return null
  const hash = createHash('md5').update(user.email.toLowerCase()).digest('hex')
  const size = options.medium === true ? '&s=500' : ''
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${size}&${version}`
}

/** The same for clients that compute no gravatars. */
export function shownAvatarUrl(
  user: Pictured,
  facts: Pick<ServerFacts, 'gravatar'>,
  options: { readonly medium?: boolean } = {},
): string {
  const url = avatarUrl(user, facts, { ...options, clientGravatar: false })
  if (url === null) throw new Error('An address is null only for clients that compute it')
  return url
}
