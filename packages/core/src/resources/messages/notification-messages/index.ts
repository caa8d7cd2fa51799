import { Type } from 'typebox'

import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { WelcomeMessages } from './welcome-messages.js'

export { ChannelNotificationMessages } from './channel-notification-messages.js'
export { GroupNotificationMessages } from './group-notification-messages.js'
export { ScheduledNotificationMessages } from './scheduled-notification-messages.js'
export { TopicNotificationMessages } from './topic-notification-messages.js'
export { WelcomeMessages } from './welcome-messages.js'

const maxTextLength = 8000

const testWelcomeBotCustomMessage = defineOperation({
  id: 'test-welcome-bot-custom-message',
  summary:
    'Send the caller a preview of the custom text with which the Welcome Bot greets new users.',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  access: 'administrator',
  isPersonal: true,
  params: {
    welcome_message_custom_text: Type.String({ maxLength: maxTextLength, refuseBlank: true }),
  },
  response: Type.Object({ message_id: Type.Integer() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: WelcomeMessages,
  async handle(welcome, { actor, params }) {
    return { message_id: await welcome.preview(actor, params.welcome_message_custom_text) }
  },
})

export const notificationMessages = defineResource({
  operations: [testWelcomeBotCustomMessage],
})
