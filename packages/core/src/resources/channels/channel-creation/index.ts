export { ChannelCreation, type NewChannel } from './channel-creation.js'
export {
  givenSettings,
  newChannelOptions,
  newChannelParameters,
  parseRetention,
  parseTopicsPolicy,
  RetentionParameter,
  TopicsPolicyParameter,
  usualChannelOptions,
  type NewChannelOptions,
} from './new-channel-parameters.js'
