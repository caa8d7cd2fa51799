import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import {
  Channel,
  channelsCreated,
  channelsDeleted,
  channelUpdated,
  ListedChannel,
} from './channel-events.js'
import { ChannelListService } from './channel-list-service.js'

export { ChannelAccess } from './channel-access.js'
export {
  ChannelAudiences,
  type ChannelAudience,
  type ChannelObservers,
} from './channel-audiences.js'
export {
  channelsCreated,
  channelsDeleted,
  channelUpdated,
  knowsArchived,
  Channel,
  channelProperties,
} from './channel-events.js'
export { normalizeChannelDescription, normalizeChannelName } from './channel-names.js'
export { channelSettingNames, ChannelObjects } from './channel-objects.js'
export { ChannelRepository } from './channel-repository.js'
export { channelSettings, type ChannelForSender, type ChannelForUser } from './channel-rows.js'
export type { ChannelRow } from './channels-table.js'
export { ChannelSubscriberRepository } from './channel-subscriber-repository.js'
export { channelContentPermissions, ChannelViewer } from './channel-viewer.js'
export { EncodedChannels, type EncodedChannel } from './encoded-channels.js'
export { DescriptionRendererToken, type DescriptionRenderer } from './description-renderer.js'

const flag = (value: boolean) => Type.Boolean({ default: value })

const getStreams = defineOperation({
  id: 'get-streams',
  summary: 'List the channels that are visible to the caller.',
  method: 'GET',
  path: '/streams',
  access: 'user',
  params: {
    include_public: flag(true),
    include_web_public: flag(false),
    include_subscribed: flag(true),
    exclude_archived: flag(true),
    include_all_active: flag(false),
    include_all: flag(false),
    include_default: flag(false),
    include_owner_subscribed: flag(false),
    include_can_access_content: flag(false),
  },
  response: Type.Object({ streams: Type.Array(ListedChannel) }),
  errors: ['BAD_REQUEST'],
  service: ChannelListService,
  handle: async (channels, { actor, params }) => ({
    streams: await channels.list(actor, {
      includePublic: params.include_public,
      includeWebPublic: params.include_web_public,
      includeSubscribed: params.include_subscribed,
      includeAll: params.include_all,
      includeAllActive: params.include_all_active,
      includeDefault: params.include_default,
      includeOwnerSubscribed: params.include_owner_subscribed,
      includeCanAccessContent: params.include_can_access_content,
      excludeArchived: params.exclude_archived,
    }),
  }),
})

const getStreamById = defineOperation({
  id: 'get-stream-by-id',
  summary: 'Get a channel.',
  method: 'GET',
  path: '/streams/{stream_id}',
  access: 'user',
  params: { stream_id: Bounded.id() },
  response: Type.Object({ stream: Channel }),
  errors: ['BAD_REQUEST'],
  service: ChannelListService,
  handle: async (channels, { actor, params }) => ({
    stream: await channels.find(actor, params.stream_id),
  }),
})

const getStreamId = defineOperation({
  id: 'get-stream-id',
  summary: 'Get the id of the channel with a name.',
  method: 'GET',
  path: '/get_stream_id',
  access: 'user',
  params: { stream: Bounded.name() },
  response: Type.Object({ stream_id: Type.Integer() }),
  errors: ['BAD_REQUEST'],
  service: ChannelListService,
  handle: async (channels, { actor, params }) => ({
    stream_id: await channels.findId(actor, params.stream),
  }),
})

const getSubscribers = defineOperation({
  id: 'get-subscribers',
  summary: 'List the active subscribers of a channel.',
  method: 'GET',
  path: '/streams/{stream_id}/members',
  access: 'user',
  params: { stream_id: Bounded.id() },
  response: Type.Object({ subscribers: Type.Array(Type.Integer()) }),
  errors: ['BAD_REQUEST'],
  service: ChannelListService,
  handle: async (channels, { actor, params }) => ({
    subscribers: await channels.listSubscribers(actor, params.stream_id),
  }),
})

/** `streams`: with archived channels only for clients that support them. */
const channelSnapshot = defineSnapshot({
  keys: { streams: Type.Array(Channel) },
  service: ChannelListService,
  async load(channels, context) {
    return {
      ...(context.wants('stream') && {
        streams: await channels.listVisible(context.scope, context.actor, {
          includesArchived: context.queue.capabilities.archived_channels === true,
        }),
      }),
    }
  },
})

export const channels = defineResource({
  operations: [getStreams, getStreamById, getStreamId, getSubscribers],
  events: [channelsCreated, channelsDeleted, channelUpdated],
  snapshot: channelSnapshot,
})
