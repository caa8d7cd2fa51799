import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { defineCommand } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import {
  ChannelWithSubscribers,
  peersAdded,
  peersRemoved,
  Subscription,
  subscriptionsAdded,
  subscriptionsRemoved,
  subscriptionUpdated,
} from './subscription-events.js'
import { SubscriptionListService } from './subscription-list-service.js'
import {
  createChannel,
  getSubscriptions,
  getSubscriptionStatus,
  subscribe,
  unsubscribe,
  updateSubscriptions,
} from './subscription-operations.js'
import { SubscriptionSettingsService } from './subscription-settings-service.js'

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

const updateSubscriptionSettings = defineCommand({
  id: 'update-subscription-settings',
  summary:
    "Change the caller's personal settings of channels: color, muting, pinning and notifications.",
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  access: 'user',
  isPersonal: true,
  params: {
    subscription_data: Type.Array(
      Type.Object(
        {
          stream_id: Bounded.id(),
          property: Bounded.name(),
          value: Bounded.json(1000, { description: 'A color as text, or a boolean.' }),
        },
        { maxJsonLength: 10_000 },
      ),
      { maxItems: limits.maxChannelsPerRequest },
    ),
  },
  errors: ['BAD_REQUEST'],
  service: SubscriptionSettingsService,
  handle: (settings, { actor, params }) =>
    settings.change(
      actor,
      params.subscription_data.map(({ stream_id, property, value }) => ({
        channelId: stream_id,
        property,
        value,
      })),
    ),
})

/** `subscriptions`, `unsubscribed` and `never_subscribed`. */
const subscriptionSnapshot = defineSnapshot({
  keys: {
    subscriptions: Type.Array(Subscription),
    unsubscribed: Type.Array(Subscription),
    never_subscribed: Type.Array(ChannelWithSubscribers),
  },
  fetchType: 'subscription',
  service: SubscriptionListService,
  async load(subscriptions, context) {
    const { capabilities } = context.queue
    return {
      ...(await subscriptions.listAll(context.scope, context.actor, {
        includeSubscribers: context.includeSubscribers,
        includesArchived: capabilities.archived_channels === true,
        ...(capabilities.notification_settings_null === true
          ? {}
          : { inheritedFrom: context.self.settings }),
      })),
    }
  },
})

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
