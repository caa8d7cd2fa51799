import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { isGuest } from '../../../domain/users/actor.js'
import { defineCommand } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { EncodedChannels } from '../channels/index.js'
import { defaultChannelsChanged } from './default-channel-events.js'
import { DefaultChannelService } from './default-channel-service.js'

export { DefaultChannelService } from './default-channel-service.js'

const addDefaultStream = defineCommand({
  id: 'add-default-stream',
  summary: 'Add a channel to the default channels of new users.',
  method: 'POST',
  path: '/default_streams',
  access: 'administrator',
  params: { stream_id: Bounded.id() },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  service: DefaultChannelService,
  handle: (channels, { actor, params }) => channels.add(actor, params.stream_id),
})

const removeDefaultStream = defineCommand({
  id: 'remove-default-stream',
  summary: 'Remove a channel from the default channels of new users.',
  method: 'DELETE',
  path: '/default_streams',
  access: 'administrator',
  params: { stream_id: Bounded.id() },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  service: DefaultChannelService,
  handle: (channels, { actor, params }) => channels.remove(actor, params.stream_id),
})

/** `realm_default_streams` and `realm_default_stream_groups`; empty for guests. */
const defaultChannelSnapshot = defineSnapshot({
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

export const defaultChannels = defineResource({
  operations: [addDefaultStream, removeDefaultStream],
  events: [defaultChannelsChanged],
  snapshot: defaultChannelSnapshot,
})
