export { ChannelAccess } from './channel-access.js'
export {
  ChannelRepository,
  channelSettings,
  type ChannelForUser,
  type ChannelRow,
  type ChannelSettings,
} from './channel-repository.js'
