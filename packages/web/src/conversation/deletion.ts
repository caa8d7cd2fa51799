import type { ChatState, Message } from '@parley/client'

import { includesMe } from '../groups/permission.js'
import { now } from '../timers.js'

/** Whether the user may delete a message, as the organization and the channel say. */
export function mayDelete(message: Message, state: ChatState): boolean {
  const { organization, me } = state
  const channel = state.channels.get(message.stream_id ?? -1)
  if (
    includesMe(organization.realm_can_delete_any_message_group, state) ||
    includesMe(channel?.can_delete_any_message_group, state)
  ) {
    return true
  }
  const isOwn =
    message.sender_id === me.user_id ||
    state.users.get(message.sender_id)?.bot_owner_id === me.user_id
  const limitSeconds = organization.realm_message_content_delete_limit_seconds ?? Infinity
  return (
    isOwn &&
    now() / 1000 - message.timestamp <= limitSeconds &&
    (includesMe(organization.realm_can_delete_own_message_group, state) ||
      includesMe(channel?.can_delete_own_message_group, state))
  )
}
