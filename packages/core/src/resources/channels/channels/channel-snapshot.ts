import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { ChannelListService } from './channel-list-service.js'
import { Channel } from './channel-schemas.js'

/** What the section adds to the response of `POST /register`. */
export const channelKeys = { streams: Type.Array(Channel) }

/** `streams`: with archived channels only for clients that support them. */
@perServer()
export class ChannelSnapshot implements SnapshotSection {
  constructor(@inject(ChannelListService) private readonly channels: ChannelListService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    return {
      ...(context.wants('stream') && {
        streams: await this.channels.listVisible(context.scope, context.actor, {
          includesArchived: context.queue.capabilities.archived_channels === true,
        }),
      }),
    }
  }
}
