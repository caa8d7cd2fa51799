import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { UserGroupView } from './user-group-view.js'
import { UserGroup } from './user-group-schemas.js'

/** `realm_user_groups`: includes deactivated groups only for clients that support them. */
export const userGroupSnapshot = defineSnapshot({
  keys: { realm_user_groups: Type.Array(UserGroup) },
  fetchType: 'realm_user_groups',
  service: UserGroupView,
  async load(view, context) {
    const { waiting_period_threshold } = context.organization.settings
    const groups = await view.list(context.scope, waiting_period_threshold)
    const showsDeactivated = context.queue.capabilities.include_deactivated_groups === true
    return {
      realm_user_groups: showsDeactivated ? groups : groups.filter((group) => !group.deactivated),
    }
  },
})
