import { defineResource } from '../../../resource-definition/resource.js'
import { channelsCreated, channelsDeleted, channelUpdated } from './channel-events.js'
import { getStreamById, getStreamId, getStreams, getSubscribers } from './channel-operations.js'
import { channelSnapshot } from './channel-snapshot.js'

export { ChannelAccess } from './channel-access.js'
export {
  ChannelAudiences,
  type ChannelAudience,
  type ChannelObservers,
} from './channel-audiences.js'
export {
  channelsCreated,
  channelsDeleted,
  channelUpdated,
  knowsArchived,
} from './channel-events.js'
export { normalizeChannelDescription, normalizeChannelName } from './channel-names.js'
export { channelSettingNames, ChannelObjects } from './channel-objects.js'
export { ChannelRepository } from './channel-repository.js'
export { channelSettings, type ChannelForSender, type ChannelForUser } from './channel-rows.js'
export type { ChannelRow } from './channels-table.js'
export { Channel, channelProperties } from './channel-schemas.js'
export { ChannelSubscriberRepository } from './channel-subscriber-repository.js'
export { channelContentPermissions, ChannelViewer } from './channel-viewer.js'
export { EncodedChannels, type EncodedChannel } from './encoded-channels.js'
export { DescriptionRendererToken, type DescriptionRenderer } from './description-renderer.js'

export const channels = defineResource({
  operations: [getStreams, getStreamById, getStreamId, getSubscribers],
  events: [channelsCreated, channelsDeleted, channelUpdated],
  snapshot: channelSnapshot,
})
