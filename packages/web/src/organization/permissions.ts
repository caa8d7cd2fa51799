import type { CustomEmoji } from '@parley/client'

import { includesMe, includesMember } from '../groups/permission.js'
import type { Session } from '../session/session.js'

export function mayAddEmoji({ state }: Session): boolean {
  const { realm_can_add_custom_emoji_group: group } = state.organization
  return !state.me.is_guest && includesMe(group, state)
}

/** Users may delete the emoji that they have added. */
export function mayDeleteEmoji({ author_id }: CustomEmoji, { state }: Session): boolean {
  return state.me.is_admin || author_id === state.me.user_id
}

export function mayInviteByMail({ state }: Session): boolean {
  return includesMember(state.organization.realm_can_invite_users_group, state)
}

export function mayCreateInviteLinks({ state }: Session): boolean {
  return includesMember(state.organization.realm_create_multiuse_invite_group, state)
}

/** Administrators manage the invitations of all. */
export function managesInvitations(session: Session): boolean {
  return session.state.me.is_admin || mayInviteByMail(session) || mayCreateInviteLinks(session)
}

/** Whether the user may add custom emoji, or has some to delete. */
export function managesEmoji(session: Session): boolean {
  const { emoji } = session.state
  return (
    mayAddEmoji(session) ||
    [...emoji.values()].some((each) => !each.deactivated && mayDeleteEmoji(each, session))
  )
}

/** Whether there is something that the user may change in the organization. */
export function mayChangeOrganization(session: Session): boolean {
  return session.state.me.is_admin || managesEmoji(session) || managesInvitations(session)
}
