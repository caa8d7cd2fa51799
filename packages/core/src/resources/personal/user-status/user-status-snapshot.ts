import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { UserStatus } from './user-status-schemas.js'
import { UserStatusService } from './user-status-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const userStatusKeys = {
  user_status: Type.Record(Type.String(), UserStatus, { description: 'By user id.' }),
}

@perServer()
export class UserStatusSection implements SnapshotSection {
  constructor(@inject(UserStatusService) private readonly statuses: UserStatusService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('user_status')) return {}
    return { user_status: await this.statuses.list(context.scope, context.actor) }
  }
}
