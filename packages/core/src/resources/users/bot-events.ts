import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'

export const botUpdated = defineEvent<{
  bot: { user_id: number; api_key?: string; is_active?: boolean; full_name?: string }
}>({
  type: 'realm_bot',
  op: 'update',
  summary: "A bot changed. Sent to its owner and to the organization's human administrators.",
  payload: Type.Object({
    bot: Type.Object(
      {
        user_id: Type.Integer(),
        api_key: Type.Optional(Type.String()),
        is_active: Type.Optional(Type.Boolean()),
        full_name: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
  }),
})
