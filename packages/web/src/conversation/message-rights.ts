import type { ChannelState, ChatState, Message } from '@parley/client'

import { includesMe } from '../groups/permission.js'
import { now } from '../timers.js'

/** The user's rights to messages, as the server decides: it refuses changes that are too late. */

function isPast({ timestamp }: Message, limitSeconds: number | null | undefined): boolean {
  return limitSeconds != null && now() / 1000 - timestamp > limitSeconds
}

function channelOf({ stream_id }: Message, { channels }: ChatState): ChannelState | undefined {
  return channels.get(stream_id ?? -1)
}

/** Nothing changes in channels that are archived, or that the user can no longer see. */
function isChangeable(message: Message, state: ChatState): boolean {
  return message.stream_id === undefined || channelOf(message, state)?.is_archived === false
}

export function mayEdit(message: Message, state: ChatState): boolean {
  const { organization, me } = state
  return (
    message.sender_id === me.user_id &&
    // Others have answered polls and the like.
    message.submessages.length === 0 &&
    organization.realm_allow_message_editing === true &&
    !isPast(message, organization.realm_message_content_edit_limit_seconds) &&
    isChangeable(message, state)
  )
}

export function mayDelete(message: Message, state: ChatState): boolean {
  const { organization, me } = state
  const channel = channelOf(message, state)
  if (!isChangeable(message, state)) return false
  if (mayDeleteAny(channel, state)) return true
  const isOwn =
    message.sender_id === me.user_id ||
    state.users.get(message.sender_id)?.bot_owner_id === me.user_id
  return (
    isOwn &&
    !isPast(message, organization.realm_message_content_delete_limit_seconds) &&
    (includesMe(organization.realm_can_delete_own_message_group, state) ||
      includesMe(channel?.can_delete_own_message_group, state))
  )
}

/** Whether the user may delete messages of others. */
export function mayDeleteAny(channel: ChannelState | undefined, state: ChatState): boolean {
  return (
    includesMe(state.organization.realm_can_delete_any_message_group, state) ||
    includesMe(channel?.can_delete_any_message_group, state)
  )
}

function administers(channel: ChannelState, state: ChatState): boolean {
  return state.me.is_admin || includesMe(channel.can_administer_channel_group, state)
}

/** Whether a message is too old for this user to be moved. */
function isSettled(
  message: Message,
  { me, organization }: ChatState,
  within: 'within_stream' | 'between_streams',
): boolean {
  if (me.is_owner || me.is_admin || me.is_moderator) return false
  return isPast(message, organization[`realm_move_messages_${within}_limit_seconds`])
}

/** Whether the user may change the topic of a message that is moved between these channels. */
export function mayChangeTopic(
  message: Message,
  channels: readonly ChannelState[],
  state: ChatState,
): boolean {
  if (isSettled(message, state, 'within_stream')) return false
  return (
    includesMe(state.organization.realm_can_move_messages_between_topics_group, state) ||
    channels.some(
      (channel) =>
        administers(channel, state) ||
        includesMe(channel.can_move_messages_within_channel_group, state),
    )
  )
}

/** The channels to which the user may move a message of a channel, which is the first of them. */
export function targetsOf(
  message: Message,
  source: ChannelState,
  state: ChatState,
): ChannelState[] {
  const mayLeave =
    !isSettled(message, state, 'between_streams') &&
    (includesMe(state.organization.realm_can_move_messages_between_channels_group, state) ||
      administers(source, state) ||
      includesMe(source.can_move_messages_out_of_channel_group, state))
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

/** How the user may move a message. Undefined if not at all. */
export function movesOf(message: Message, state: ChatState): Moves | undefined {
  const source = channelOf(message, state)
  if (source === undefined || source.is_archived) return undefined
  const toTopics = mayChangeTopic(message, [source], state)
  const toChannels = targetsOf(message, source, state).length > 1
  return toTopics || toChannels ? { source, toTopics, toChannels } : undefined
}

/** Whether the organization has moderators who get reports, and the message is another user's. */
export function mayReport({ sender_id }: Message, { organization, me }: ChatState): boolean {
  const channelId = organization.realm_moderation_request_channel_id ?? -1
  return channelId >= 0 && sender_id !== me.user_id
}
