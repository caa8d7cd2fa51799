export { ApplicationChannels } from './application-channels.js'
export type {
  ApplicationChannel,
  EnsuredChannel,
  EnsureResult,
  SubscriberReference,
} from './ensured-channel.js'
