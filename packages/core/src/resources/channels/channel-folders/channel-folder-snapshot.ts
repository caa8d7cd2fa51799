import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { ChannelFolder } from './channel-folder-schemas.js'
import { ChannelFolderService } from './channel-folder-service.js'

/** What the section adds to the response of `POST /register`. */
export const channelFolderKeys = { channel_folders: Type.Array(ChannelFolder) }

/** All channel folders, including archived ones. */
@perServer()
export class ChannelFolderSection implements SnapshotSection {
  constructor(@inject(ChannelFolderService) private readonly folders: ChannelFolderService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('channel_folders')) return {}
    return { channel_folders: await this.folders.list(context.scope) }
  }
}
