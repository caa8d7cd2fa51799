import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { UserStatus } from './user-status-schemas.js'
import { UserStatusService } from './user-status-service.js'

export const userStatusSnapshot = defineSnapshot({
  keys: {
    user_status: Type.Record(Type.String(), UserStatus, { description: 'By user id.' }),
  },
  fetchType: 'user_status',
  service: UserStatusService,
  async load(statuses, context) {
    return { user_status: await statuses.list(context.scope, context.actor) }
  },
})
