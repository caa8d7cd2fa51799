import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

export const pushDeviceChanged = defineEvent({
  type: 'push_device',
  decidesNothing: true,
  summary: 'The relay accepted or rejected the registration of a device. Sent to its owner.',
  payload: Type.Object({
    push_account_id: Type.String({ description: 'Decimal digits.' }),
    status: Type.Union([Type.Literal('active'), Type.Literal('failed')]),
    error_code: Type.Optional(Type.String({ description: 'Only with `failed`.' })),
  }),
})
