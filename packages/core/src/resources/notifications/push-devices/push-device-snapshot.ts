import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { PushDeviceService } from './push-device-service.js'

export const pushDeviceSnapshot = defineSnapshot({
  keys: {
    push_devices: Type.Record(
      Type.String(),
      Type.Object({
        status: Type.Union([
          Type.Literal('active'),
          Type.Literal('pending'),
          Type.Literal('failed'),
        ]),
        error_code: Type.Union([Type.String(), Type.Null()]),
      }),
      { description: 'By `push_account_id`.' },
    ),
  },
  fetchType: 'push_device',
  service: PushDeviceService,
  async load(devices, context) {
    return { push_devices: await devices.states(context.scope, context.actor.userId) }
  },
})
