import { defineResource } from '../../../resource-definition/resource.js'
import { UserMessageWriter } from './user-message-writer.js'

export { MissingMessageRepository } from './missing-message-repository.js'
export { MovedMessageRepository } from './moved-message-repository.js'
export {
  missingSql,
  newestMessageSql,
  receivedFlagsSql,
  receivedOfMessagesSql,
  unwrittenSql,
} from './unwritten-sql.js'
export { hasQueueSql, notifiesSql } from './user-conditions.js'
export { UnwrittenMessageRepository } from './unwritten-message-repository.js'
export { UnwrittenMessages } from './unwritten-messages.js'

export const unwrittenMessages = defineResource({
  backgroundWork: [UserMessageWriter],
})
