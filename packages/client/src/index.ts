export { ChatClient, type ClientOptions } from './client.js'
export type { Connection } from './connection.js'
export type { ConnectionEvents, ConnectionState } from './connection-events.js'
export type { Credentials } from './credentials.js'
export type { SocketConstructor, SocketLike } from './environment.js'
export type { Destination } from './destination.js'
export type { LogEntry } from './log.js'
export type {
  NewMessage,
  Outbox,
  OutboxStorage,
  PendingError,
  PendingMessage,
} from './pending-message.js'
export {
  ApiError,
  ConnectionError,
  FileTooLargeError,
  isErrorOf,
  type ConnectionErrorCode,
  type ErrorOf,
  type OperationName,
} from './errors.js'
export type { CommonErrorCode, ErrorCode, OperationErrors } from './errors.generated.js'
export type { MessageListOptions } from './store/message-list.js'
export type { CallOptions, FileToUpload, ReturnedFile } from './call.js'
export type { ChatApi, NarrowTerm, Registration } from './api.js'
export type { ServerEvent } from '@parley/wire/events'
/** The parameters and results of the operations, such as `Api.SendMessageParams`. */
export type * as Api from '@parley/wire/http-operations'
/** The events, such as `Events.ReactionAddEvent`. */
export type * as Events from '@parley/wire/events'
export { directKey, foldTopic, resolvedPrefix, topicKey } from './store/state.js'
export type * from './store/state.js'
