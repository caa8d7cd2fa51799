import { defineResource } from '../../../resource-definition/resource.js'
import { defaultChannelsChanged } from './default-channel-events.js'
import { addDefaultStream, removeDefaultStream } from './default-channel-operations.js'
import { defaultChannelSnapshot } from './default-channel-snapshot.js'

export { DefaultChannelService } from './default-channel-service.js'

export const defaultChannels = defineResource({
  operations: [addDefaultStream, removeDefaultStream],
  events: [defaultChannelsChanged],
  snapshot: defaultChannelSnapshot,
})
