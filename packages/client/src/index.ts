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
export type * from './api.generated.js'
export type * from '@parley/wire/events'
export { directKey, foldTopic, resolvedPrefix, topicKey } from './store/state.js'
export type * from './store/state.js'
