import type { ChannelState, ChatState, Message } from '@parley/client'

type Group = ChannelState['can_send_message_group'] | undefined

/** Whether the user is a member of a group, also through other groups. */
function isMember(group: Group, state: ChatState): boolean {
  const seen = new Set<number>()
  const includesMe = (one: Group): boolean => {
    if (typeof one === 'object') {
      const { direct_members, direct_subgroups } = one
      return direct_members.includes(state.me.user_id) || direct_subgroups.some(includesMe)
    }
    const known = state.groups.get(one ?? -1)
    if (known === undefined || seen.has(known.id)) return false
    seen.add(known.id)
    return known.members.includes(state.me.user_id) || known.direct_subgroup_ids.some(includesMe)
  }
  return includesMe(group)
}

function administers(channel: ChannelState, state: ChatState): boolean {
  return state.me.is_admin || isMember(channel.can_administer_channel_group, state)
}

/** Whether the user may change the topic of a message that is moved between these channels. */
export function mayChangeTopic(channels: readonly ChannelState[], state: ChatState): boolean {
  return (
    isMember(state.organization.realm_can_move_messages_between_topics_group, state) ||
    channels.some(
      (channel) =>
        administers(channel, state) ||
        isMember(channel.can_move_messages_within_channel_group, state),
    )
  )
}

/** The channels to which the user may move messages of a channel, which is the first of them. */
export function targetsOf(source: ChannelState, state: ChatState): ChannelState[] {
  const mayLeave =
    isMember(state.organization.realm_can_move_messages_between_channels_group, state) ||
    administers(source, state) ||
    isMember(source.can_move_messages_out_of_channel_group, state)
  if (!mayLeave) return [source]
  const others = [...state.channels.values()].filter(
    (channel) =>
      channel.stream_id !== source.stream_id &&
      !channel.is_archived &&
      (channel.subscription !== undefined || !(channel.invite_only || state.me.is_guest)) &&
      isMember(channel.can_send_message_group, state),
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
