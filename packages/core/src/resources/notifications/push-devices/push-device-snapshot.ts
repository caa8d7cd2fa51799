import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { PushDeviceService } from './push-device-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const pushDeviceKeys = {
  push_devices: Type.Record(
    Type.String(),
    Type.Object({
      status: Type.Union([Type.Literal('active'), Type.Literal('pending'), Type.Literal('failed')]),
      error_code: Type.Union([Type.String(), Type.Null()]),
    }),
    { description: 'By `push_account_id`.' },
  ),
}

@perServer()
export class PushDeviceSection implements SnapshotSection {
  constructor(@inject(PushDeviceService) private readonly devices: PushDeviceService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('push_device')) return {}
    return { push_devices: await this.devices.states(context.scope, context.actor.userId) }
  }
}
