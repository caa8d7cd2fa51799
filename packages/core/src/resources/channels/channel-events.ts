import { Type, type Static } from 'typebox'

import { defineEvent } from '../../events/event.js'
import type { EventQueue } from '../../events/event-queue.js'
import { GroupSettingValue } from '../user-groups/index.js'
import { Channel } from './channel-schemas.js'

/** Whether the client knows what an archived channel is; others take it for deleted. */
export function knowsArchived(queue: EventQueue): boolean {
  return queue.capabilities.archived_channels === true
}

/** Channels that their recipients have not known. */
export interface NewlyVisibleChannels {
  readonly streams: readonly Channel[]
  /** Whether only clients get it that do not know archived channels: for them it is a new one. */
  readonly isUnarchived?: boolean
}

export const channelsCreated = defineEvent<NewlyVisibleChannels>({
  type: 'stream',
  op: 'create',
  summary: 'Channels were created or became visible. Sent to those who may now know of them.',
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

/** Channels that their recipients may no longer know. */
export interface VanishedChannels {
  readonly channelIds: readonly number[]
  /** Whether only clients get it that do not know archived channels: for them it is gone. */
  readonly isArchived?: boolean
}

export const channelsDeleted = defineEvent<VanishedChannels>({
  type: 'stream',
  op: 'delete',
  summary: 'Channels are no longer visible. Sent to those who knew of them.',
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
  /** Whether only clients get it that know archived channels. */
  readonly isOfArchived: boolean
}>({
  type: 'stream',
  op: 'update',
  summary: 'Something about a channel changed. Sent to everyone who may know of it.',
  payload: ChannelUpdate,
  accepts: ({ isOfArchived }, queue) => !isOfArchived || knowsArchived(queue),
  render: ({ update }) => [{ type: 'stream', op: 'update', ...update }],
})
