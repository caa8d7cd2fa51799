import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { defineCommand } from '../../../http/operation.js'
import { SubscriptionSettingsService } from './subscription-settings-service.js'

export const updateSubscriptionSettings = defineCommand({
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
