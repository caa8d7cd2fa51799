import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { ChannelListService } from './channel-list-service.js'
import { Channel } from './channel-schemas.js'

/** `streams`: with archived channels only for clients that support them. */
export const channelSnapshot = defineSnapshot({
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
