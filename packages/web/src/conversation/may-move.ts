import type { Message } from '@parley/client'

import type { Session } from '../session/session.js'

type Group =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

/** Whether the user's groups may move messages of the channel; the server also limits the time. */
export function mayMove({ stream_id }: Message, { state }: Session): boolean {
  const channel = state.channels.get(stream_id ?? -1)
  const seen = new Set<number>()
  const includesMe = (group: Group | undefined): boolean => {
    if (typeof group === 'object') {
      const { direct_members, direct_subgroups } = group
      return direct_members.includes(state.me.user_id) || direct_subgroups.some(includesMe)
    }
    const known = state.groups.get(group ?? -1)
    if (known === undefined || seen.has(known.id)) return false
    seen.add(known.id)
    return known.members.includes(state.me.user_id) || known.direct_subgroup_ids.some(includesMe)
  }
  return (
    channel !== undefined &&
    (state.me.is_admin ||
      includesMe(state.organization.realm_can_move_messages_between_topics_group) ||
      includesMe(channel.can_move_messages_within_channel_group))
  )
}
