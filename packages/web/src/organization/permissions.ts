import type { CustomEmoji } from '@parley/client'

import { includesMe } from '../groups/permission.js'
import type { Session } from '../session/session.js'

export function mayAddEmoji({ state }: Session): boolean {
  const { realm_can_add_custom_emoji_group: group } = state.organization
  return !state.me.is_guest && includesMe(group, state)
}

/** Users may delete the emoji that they have added. */
export function mayDeleteEmoji({ author_id }: CustomEmoji, { state }: Session): boolean {
  return state.me.is_admin || author_id === state.me.user_id
}

/** Whether there is something that the user may change in the organization. */
export function mayChangeOrganization(session: Session): boolean {
  const { me, emoji } = session.state
  return (
    me.is_admin ||
    mayAddEmoji(session) ||
    [...emoji.values()].some((each) => !each.deactivated && mayDeleteEmoji(each, session))
  )
}
