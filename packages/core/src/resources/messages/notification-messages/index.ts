import { defineResource } from '../../../resource-definition/resource.js'
import { testWelcomeBotCustomMessage } from './notice-operations.js'

export { ChannelNotices } from './channel-notices.js'
export { GroupNotices } from './group-notices.js'
export { ScheduledNotices } from './scheduled-notices.js'
export { TopicNotices } from './topic-notices.js'
export { WelcomeNotices } from './welcome-notices.js'

export const notificationMessages = defineResource({
  operations: [testWelcomeBotCustomMessage],
})
