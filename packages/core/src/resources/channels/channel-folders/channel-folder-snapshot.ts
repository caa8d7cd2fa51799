import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { ChannelFolder } from './channel-folder-schemas.js'
import { ChannelFolderService } from './channel-folder-service.js'

/** All channel folders, including archived ones. */
export const channelFolderSnapshot = defineSnapshot({
  keys: { channel_folders: Type.Array(ChannelFolder) },
  fetchType: 'channel_folders',
  service: ChannelFolderService,
  async load(folders, context) {
    return { channel_folders: await folders.list(context.scope) }
  },
})
