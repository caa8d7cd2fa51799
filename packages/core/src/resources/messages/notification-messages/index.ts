import { defineResource } from '../../../resource-definition/resource.js'
import { testWelcomeBotCustomMessage } from './notification-message-operations.js'

export { ChannelNotificationMessages } from './channel-notification-messages.js'
export { GroupNotificationMessages } from './group-notification-messages.js'
export { ScheduledNotificationMessages } from './scheduled-notification-messages.js'
export { TopicNotificationMessages } from './topic-notification-messages.js'
export { WelcomeMessages } from './welcome-messages.js'

export const notificationMessages = defineResource({
  operations: [testWelcomeBotCustomMessage],
})
