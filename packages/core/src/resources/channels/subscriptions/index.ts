import { defineResource } from '../../../resource-definition/resource.js'
import {
  peersAdded,
  peersRemoved,
  subscriptionsAdded,
  subscriptionsRemoved,
  subscriptionUpdated,
} from './subscription-events.js'
import {
  createChannel,
  getSubscriptions,
  getSubscriptionStatus,
  subscribe,
  unsubscribe,
  updateSubscriptions,
} from './subscription-operations.js'
import { updateSubscriptionSettings } from './subscription-settings-operations.js'
import { subscriptionSnapshot } from './subscription-snapshot.js'

export { SubscriptionSettingsService } from './subscription-settings-service.js'
export { SubscribeService } from './subscribe-service.js'
export { SubscribingOthers } from './subscribing-others.js'
export { UnsubscribeService } from './unsubscribe-service.js'
export { AccountSubscriptions } from './account-subscriptions.js'
export { DefaultSubscriptions } from './default-subscriptions.js'
export { GroupChannels } from './group-channels.js'
export { ReturnedChannels } from './returned-channels.js'
export { emitNewlyVisible } from './subscriber-announcements.js'
export {
  firstSettings,
  membership,
  SubscriptionRepository,
  type ChannelUsers,
} from './subscription-repository.js'
export {
  subscriptionsAdded,
  subscriptionsRemoved,
  subscriptionUpdated,
} from './subscription-events.js'
export { ChannelStepToken, type ChannelStep, type NewSubscribers } from './channel-steps.js'

export const subscriptions = defineResource({
  operations: [
    getSubscriptions,
    subscribe,
    unsubscribe,
    updateSubscriptions,
    createChannel,
    getSubscriptionStatus,
    updateSubscriptionSettings,
  ],
  events: [subscriptionsAdded, subscriptionsRemoved, subscriptionUpdated, peersAdded, peersRemoved],
  snapshot: subscriptionSnapshot,
})
