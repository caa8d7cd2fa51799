import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { UserGroup, UserGroupView } from './user-group-view.js'

/** The keys that the section adds to the response of `POST /register`. */
export const userGroupKeys = { realm_user_groups: Type.Array(UserGroup) }

/** `realm_user_groups`: includes deactivated groups only for clients that support them. */
@perServer()
export class UserGroupSnapshot implements SnapshotSection {
  constructor(@inject(UserGroupView) private readonly groups: UserGroupView) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm_user_groups')) return {}
    const { waiting_period_threshold } = context.organization.settings
    const groups = await this.groups.list(context.scope, waiting_period_threshold)
    const showsDeactivated = context.queue.capabilities.include_deactivated_groups === true
    return {
      realm_user_groups: showsDeactivated ? groups : groups.filter((group) => !group.deactivated),
    }
  }
}
