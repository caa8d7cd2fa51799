import type { ChannelState, ChatState, Message } from '@parley/client'

import { includesMe } from '../groups/permission.js'

function administers(channel: ChannelState, state: ChatState): boolean {
  return state.me.is_admin || includesMe(channel.can_administer_channel_group, state)
}

/** Whether the user may change the topic of a message that is moved between these channels. */
export function mayChangeTopic(channels: readonly ChannelState[], state: ChatState): boolean {
  return (
    includesMe(state.organization.realm_can_move_messages_between_topics_group, state) ||
    channels.some(
      (channel) =>
        administers(channel, state) ||
        includesMe(channel.can_move_messages_within_channel_group, state),
    )
  )
}

/** The channels to which the user may move messages of a channel, which is the first of them. */
export function targetsOf(source: ChannelState, state: ChatState): ChannelState[] {
  const mayLeave =
    includesMe(state.organization.realm_can_move_messages_between_channels_group, state) ||
    administers(source, state) ||
    includesMe(source.can_move_messages_out_of_channel_group, state)
  if (!mayLeave) return [source]
  const others = [...state.channels.values()].filter(
    (channel) =>
      channel.stream_id !== source.stream_id &&
      !channel.is_archived &&
      (channel.subscription !== undefined || !(channel.invite_only || state.me.is_guest)) &&
      includesMe(channel.can_send_message_group, state),
  )
  return [source, ...others.sort((one, other) => one.name.localeCompare(other.name))]
}

export interface Moves {
  readonly source: ChannelState
  readonly toTopics: boolean
  readonly toChannels: boolean
}

/** How the user may move a message; the server also limits the time. Undefined if not at all. */
export function movesOf({ stream_id }: Message, state: ChatState): Moves | undefined {
  const source = state.channels.get(stream_id ?? -1)
  if (source === undefined || source.is_archived) return undefined
  const toTopics = mayChangeTopic([source], state)
  const toChannels = targetsOf(source, state).length > 1
  return toTopics || toChannels ? { source, toTopics, toChannels } : undefined
}
