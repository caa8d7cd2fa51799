import { defineResource } from '../../../resource-definition/resource.js'
import { ScheduledMessageDelivery } from './scheduled-message-delivery.js'
import {
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
} from './scheduled-message-events.js'
import { scheduledMessageFile } from './scheduled-message-file-section.js'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  getScheduledMessages,
  updateScheduledMessage,
} from './scheduled-message-operations.js'
import { scheduledMessageSnapshot } from './scheduled-message-snapshot.js'

export const scheduledMessages = defineResource({
  operations: [
    getScheduledMessages,
    createScheduledMessage,
    updateScheduledMessage,
    deleteScheduledMessage,
  ],
  events: [scheduledMessagesAdded, scheduledMessageUpdated, scheduledMessageRemoved],
  snapshot: scheduledMessageSnapshot,
  fileSection: scheduledMessageFile,
  backgroundWork: [ScheduledMessageDelivery],
})
