import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { PushDeviceService } from './push-device-service.js'

@perServer()
export class PushDeviceSection implements SnapshotSection {
  constructor(@inject(PushDeviceService) private readonly devices: PushDeviceService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('push_device')) return {}
    return { push_devices: await this.devices.states(context.scope, context.actor.userId) }
  }
}
