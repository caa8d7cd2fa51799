export { badRequest, ChatError } from './chat-error.js'
export { errorKinds, type ErrorKind, type ErrorKindName, type FieldsOf } from './error-codes.js'
