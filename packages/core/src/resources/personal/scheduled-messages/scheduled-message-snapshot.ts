import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { ScheduledMessage } from './scheduled-message-schemas.js'
import { ScheduledMessageService } from './scheduled-message-service.js'

/** `scheduled_messages`. */
export const scheduledMessageSnapshot = defineSnapshot({
  keys: { scheduled_messages: Type.Array(ScheduledMessage) },
  fetchType: 'scheduled_messages',
  service: ScheduledMessageService,
  async load(scheduled, context) {
    return {
      scheduled_messages: await scheduled.list(context.scope, context.actor.userId),
    }
  },
})
