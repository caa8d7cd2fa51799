import type { Static } from 'typebox'

import type { ServerFacts } from '../../../kernel/server-facts.js'
import { apiEmail, unknownUser, type ViewableUser } from '../../people/users/index.js'
import type { DirectRecipient } from './message-schemas.js'

/**
 * `display_recipient` of a direct message: sorted by address for two users, by id for more.
 *
 * @param participants ascending by id.
 * @param accessible the users that the viewer may access; undefined for all users.
 */
export function displayRecipient(
  participants: readonly Pick<
    ViewableUser,
    'id' | 'email' | 'email_address_visibility' | 'full_name'
  >[],
  facts: ServerFacts,
  accessible?: ReadonlySet<number>,
): Static<typeof DirectRecipient>[] {
  const list = participants.map((user) => {
    const isKnown = accessible === undefined || accessible.has(user.id)
    const { email, full_name } = isKnown
      ? { email: apiEmail(user, facts), full_name: user.full_name }
      : unknownUser(user.id, facts)
    return { id: user.id, email, full_name, is_mirror_dummy: false }
  })
  if (list.length !== 2) return list
  return list.sort((a, b) => (a.email < b.email ? -1 : 1))
}
