import { Type } from 'typebox'

import { isGuest } from '../../../domain/users/actor.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { EncodedChannels } from '../channels/index.js'

/** `realm_default_streams` and `realm_default_stream_groups`; empty for guests. */
export const defaultChannelSnapshot = defineSnapshot({
  keys: {
    realm_default_streams: Type.Array(Type.Integer()),
    realm_default_stream_groups: Type.Array(Type.Unknown(), { maxItems: 0 }),
  },
  service: EncodedChannels,
  async load(channels, context) {
    return {
      ...(context.wants('default_streams') && {
        realm_default_streams: isGuest(context.actor)
          ? []
          : (await channels.list(context.scope))
              .filter(({ is_default, is_archived }) => is_default && !is_archived)
              .map(({ id }) => id)
              .sort((a, b) => a - b),
      }),
      // No endpoint creates groups of default channels.
      ...(context.wants('default_stream_groups') && { realm_default_stream_groups: [] }),
    }
  },
})
