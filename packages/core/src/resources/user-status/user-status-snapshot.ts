import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { UserStatusService } from './user-status-service.js'

@perServer()
export class UserStatusSection implements SnapshotSection {
  constructor(@inject(UserStatusService) private readonly statuses: UserStatusService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('user_status')) return {}
    return { user_status: await this.statuses.list(context.scope, context.actor) }
  }
}
