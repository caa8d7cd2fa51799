export { ApplicationChannelRepository } from './application-channel-repository.js'
export { ApplicationChannels } from './application-channels.js'
export {
  requireChannelId,
  type ApplicationChannel,
  type EnsuredChannel,
  type EnsureResult,
  type SubscriberReference,
} from './ensured-channel.js'
