import { Type } from 'typebox'

import { defineOperation } from '../../http/operation.js'
import { SubscriptionSettingsService } from './subscription-settings-service.js'

export const updateSubscriptionSettings = defineOperation({
  id: 'update-subscription-settings',
  summary: 'Change what one has set for channels: colour, muting, pinning and notifications.',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  access: 'user',
  params: {
    subscription_data: Type.Array(
      Type.Object({
        stream_id: Type.Integer(),
        property: Type.String(),
        value: Type.Unknown({ description: 'A colour as text, or whether it is so.' }),
      }),
    ),
  },
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: SubscriptionSettingsService,
  async handle(settings, { actor, params }) {
    await settings.change(
      actor,
      params.subscription_data.map(({ stream_id, property, value }) => ({
        channelId: stream_id,
        property,
        value,
      })),
    )
    return {}
  },
})
