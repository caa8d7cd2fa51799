import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { isGuest } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { ChannelRepository } from '../channels/index.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'

/** What the section adds to the response of `POST /register`. */
export const defaultChannelKeys = {
  realm_default_streams: Type.Array(Type.Integer()),
  realm_default_stream_groups: Type.Array(Type.Unknown(), { maxItems: 0 }),
}

/** `realm_default_streams` and `realm_default_stream_groups`; empty for guests. */
@perServer()
export class DefaultChannelSnapshot implements SnapshotSection {
  constructor(@inject(ChannelRepository) private readonly channels: ChannelRepository) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    return {
      ...(context.wants('default_streams') && {
        realm_default_streams: isGuest(context.actor)
          ? []
          : (await this.channels.listDefault(context.scope)).map(({ id }) => id),
      }),
      // No endpoint creates groups of default channels.
      ...(context.wants('default_stream_groups') && { realm_default_stream_groups: [] }),
    }
  }
}
