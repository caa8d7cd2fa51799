import { defineResource } from '../../../resource-definition/resource.js'
import {
  channelFolderAdded,
  channelFoldersReordered,
  channelFolderUpdated,
} from './channel-folder-events.js'
import { channelFolderFile } from './channel-folder-file-section.js'
import {
  createChannelFolder,
  getChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from './channel-folder-operations.js'
import { channelFolderSnapshot } from './channel-folder-snapshot.js'

export { ChannelFolderService } from './channel-folder-service.js'

export const channelFolders = defineResource({
  operations: [createChannelFolder, getChannelFolders, reorderChannelFolders, updateChannelFolder],
  events: [channelFolderAdded, channelFolderUpdated, channelFoldersReordered],
  snapshot: channelFolderSnapshot,
  fileSection: channelFolderFile,
})
