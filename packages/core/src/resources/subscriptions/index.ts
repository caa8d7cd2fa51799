export { DefaultSubscriptions } from './default-subscriptions.js'
export { SubscriberChanges, type NewSubscriptions } from './subscriber-changes.js'
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
} from './subscription-operations.js'
export { SubscriptionRepository, type SubscriptionRow } from './subscription-repository.js'
export { SubscriptionSnapshot } from './subscription-snapshot.js'
