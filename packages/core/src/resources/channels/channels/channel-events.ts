import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import { GroupSettingValue } from '../../groups/user-groups/index.js'

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

/** A channel's permission settings on the wire. */
const channelSettingProperties = {
  can_add_subscribers_group: GroupSettingValue,
  can_administer_channel_group: GroupSettingValue,
  can_delete_any_message_group: GroupSettingValue,
  can_delete_own_message_group: GroupSettingValue,
  can_move_messages_out_of_channel_group: GroupSettingValue,
  can_move_messages_within_channel_group: GroupSettingValue,
  can_remove_subscribers_group: GroupSettingValue,
  can_resolve_topics_group: GroupSettingValue,
  can_send_message_group: GroupSettingValue,
  can_subscribe_group: GroupSettingValue,
}

/** The properties of a channel that are visible to every user to whom the channel is. */
export const channelProperties = {
  stream_id: Type.Integer(),
  name: Type.String(),
  is_archived: Type.Boolean(),
  description: Type.String({ description: 'Markdown.' }),
  rendered_description: Type.String({ description: 'HTML.' }),
  date_created: Type.Integer({ description: 'UNIX seconds.' }),
  creator_id: NullableInteger,
  invite_only: Type.Boolean(),
  is_web_public: Type.Boolean(),
  history_public_to_subscribers: Type.Boolean(),
  stream_post_policy: Type.Integer({
    description: 'Deprecated: 1 everyone, 2 administrators, 3 full members, 4 moderators.',
  }),
  is_announcement_only: Type.Boolean({ description: 'Deprecated.' }),
  message_retention_days: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Null inherits from the organization; -1 keeps messages forever.',
  }),
  topics_policy: Type.String(),
  first_message_id: NullableInteger,
  folder_id: NullableInteger,
  is_recently_active: Type.Boolean(),
  ...channelSettingProperties,
  subscriber_count: Type.Integer({ description: 'Active users, bots included.' }),
  stream_weekly_traffic: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Messages per week; null while the channel is younger than a week.',
  }),
}

/** A channel on the wire. */
export const Channel = Type.Object(channelProperties, { additionalProperties: false })
export type Channel = Static<typeof Channel>

/** A channel in a list that may mark the default channels. */
export const ListedChannel = Type.Object(
  { ...channelProperties, is_default: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type ListedChannel = Static<typeof ListedChannel>

/** Whether the client supports archived channels; for other clients they are deleted. */
export function knowsArchived(queue: EventQueueOptions): boolean {
  return queue.capabilities.archived_channels === true
}

/** Channels that have become visible to their recipients. */
export interface NewlyVisibleChannels {
  readonly streams: readonly Channel[]
  /**
   * Whether it is only sent to clients without support for archived channels: it is new to them.
   */
  readonly isUnarchived?: boolean
}

export const channelsCreated = defineEvent<NewlyVisibleChannels>({
  type: 'stream',
  op: 'create',
  summary:
    'Channels were created or became visible. Sent to the users to whom they are now visible.',
  payload: Type.Object({ streams: Type.Array(Channel) }),
  accepts({ streams, isUnarchived = false }, queue) {
    if (knowsArchived(queue)) return !isUnarchived
    return streams.some((channel) => !channel.is_archived)
  },
  variant: (queue) => (knowsArchived(queue) ? 'a' : ''),
  render: ({ streams }, queue) => [
    {
      type: 'stream',
      op: 'create',
      streams: knowsArchived(queue) ? streams : streams.filter((channel) => !channel.is_archived),
    },
  ],
})

/** Channels that are no longer visible to their recipients. */
export interface VanishedChannels {
  readonly channelIds: readonly number[]
  /** Whether it is only sent to clients without support for archived channels: they remove it. */
  readonly isArchived?: boolean
}

export const channelsDeleted = defineEvent<VanishedChannels>({
  type: 'stream',
  op: 'delete',
  summary: 'Channels are no longer visible. Sent to the users to whom they were visible.',
  payload: Type.Object({
    streams: Type.Array(Type.Object({ stream_id: Type.Integer() }), { description: 'Deprecated.' }),
    stream_ids: Type.Array(Type.Integer()),
  }),
  accepts: ({ isArchived = false }, queue) => !isArchived || !knowsArchived(queue),
  render: ({ channelIds }) => [
    {
      type: 'stream',
      op: 'delete',
      streams: channelIds.map((stream_id) => ({ stream_id })),
      stream_ids: channelIds,
    },
  ],
})

const ChannelUpdate = Type.Object({
  stream_id: Type.Integer(),
  name: Type.String({ description: 'As it was before the change.' }),
  property: Type.String(),
  value: Type.Union([GroupSettingValue, Type.Boolean(), Type.String(), Type.Null()]),
  rendered_description: Type.Optional(Type.String()),
  history_public_to_subscribers: Type.Optional(Type.Boolean()),
  is_web_public: Type.Optional(Type.Boolean()),
})

export const channelUpdated = defineEvent<{
  readonly update: Static<typeof ChannelUpdate>
  /** Whether it is only sent to clients that support archived channels. */
  readonly isOfArchived: boolean
}>({
  type: 'stream',
  op: 'update',
  summary: 'A property of a channel changed. Sent to the users to whom the channel is visible.',
  payload: ChannelUpdate,
  accepts: ({ isOfArchived }, queue) => !isOfArchived || knowsArchived(queue),
  render: ({ update }) => [{ type: 'stream', op: 'update', ...update }],
})
