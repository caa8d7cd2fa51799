import { Type, type Static } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import { GroupSettingValue } from '../../groups/user-groups/index.js'
import { Channel } from './channel-schemas.js'

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
