import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { SubscriptionListService } from './subscription-list-service.js'
import { ChannelWithSubscribers, Subscription } from './subscription-schemas.js'

/** The keys that the section adds to the response of `POST /register`. */
export const subscriptionKeys = {
  subscriptions: Type.Array(Subscription),
  unsubscribed: Type.Array(Subscription),
  never_subscribed: Type.Array(ChannelWithSubscribers),
}

/** `subscriptions`, `unsubscribed` and `never_subscribed`. */
@perServer()
export class SubscriptionSnapshot implements SnapshotSection {
  constructor(
    @inject(SubscriptionListService) private readonly subscriptions: SubscriptionListService,
  ) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('subscription')) return {}
    const { capabilities } = context.queue
    return {
      ...(await this.subscriptions.listAll(context.scope, context.actor, {
        includeSubscribers: context.includeSubscribers,
        includesArchived: capabilities.archived_channels === true,
        ...(capabilities.notification_settings_null === true
          ? {}
          : { inheritedFrom: context.self.settings }),
      })),
    }
  }
}
