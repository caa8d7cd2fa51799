import { ApiError, type ChatState } from '@parley/client'

import { groupTexts } from './group-texts.js'
import { groupName } from './names.js'

/** Where a group is used, as the server says it. */
interface Objection {
  readonly type: string
  readonly supergroup_ids?: readonly number[]
  readonly channel_id?: number
  readonly group_id?: number
}

/** Where a group is used that cannot be deactivated, for people; '' if that is not the reason. */
export function groupUses(error: unknown, state: ChatState): string {
  const objections = error instanceof ApiError ? error.details['objections'] : undefined
  if (!Array.isArray(objections)) return ''
  // The server sends them in this form.
  const names = (objections as readonly Objection[]).flatMap(
    ({ supergroup_ids = [], channel_id, group_id }) => {
      const groups = group_id === undefined ? supergroup_ids : [group_id]
      if (groups.length > 0) return groups.map((id) => groupName(state.groups.get(id)))
      if (channel_id === undefined) return [groupTexts.organization]
      const channel = state.channels.get(channel_id)
      return [channel === undefined ? groupTexts.unknownChannel : `#${channel.name}`]
    },
  )
  return groupTexts.usedBy([...new Set(names)])
}
