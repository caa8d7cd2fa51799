import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { ChannelListService } from './channel-list-service.js'

/** `streams`: archived ones only for clients that know what that is. */
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
