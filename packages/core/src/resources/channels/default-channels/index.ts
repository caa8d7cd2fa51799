export { defaultChannelsChanged } from './default-channel-events.js'
export { addDefaultStream, removeDefaultStream } from './default-channel-operations.js'
export { DefaultChannelService } from './default-channel-service.js'
export { DefaultChannelSnapshot, defaultChannelKeys } from './default-channel-snapshot.js'
