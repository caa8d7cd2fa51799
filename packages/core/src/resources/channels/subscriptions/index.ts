export { AccountSubscriptions } from './account-subscriptions.js'
export { DefaultSubscriptions } from './default-subscriptions.js'
export { GroupChannels } from './group-channels.js'
export { ReturnedChannels } from './returned-channels.js'
export { emitNewlyVisible } from './subscriber-announcements.js'
export {
  peersAdded,
  peersRemoved,
  subscriptionsAdded,
  subscriptionsRemoved,
  subscriptionUpdated,
} from './subscription-events.js'
export {
  createChannel,
  getSubscriptions,
  getSubscriptionStatus,
  subscribe,
  unsubscribe,
  updateSubscriptions,
} from './subscription-operations.js'
export {
  idList,
  membership,
  SubscriptionRepository,
  type ChannelUsers,
} from './subscription-repository.js'
export { updateSubscriptionSettings } from './subscription-settings-operations.js'
export { SubscriptionSnapshot, subscriptionKeys } from './subscription-snapshot.js'
export { ChannelStepToken, type ChannelStep, type NewSubscribers } from './channel-steps.js'
