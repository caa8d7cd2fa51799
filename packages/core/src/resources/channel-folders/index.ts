export { channelFolderEvents } from './channel-folder-events.js'
export { channelFolderOperations } from './channel-folder-operations.js'
export { ChannelFolderService } from './channel-folder-service.js'
export { ChannelFolderSection } from './channel-folder-snapshot.js'
