import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { SubscriptionListService } from './subscription-list-service.js'
import { ChannelWithSubscribers, Subscription } from './subscription-schemas.js'

/** `subscriptions`, `unsubscribed` and `never_subscribed`. */
export const subscriptionSnapshot = defineSnapshot({
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
