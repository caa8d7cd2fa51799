export { acceptEveryCopy } from './any-copy.js'
export { badRequest, ChatError } from './chat-error.js'
export { errorKinds, type ErrorKind, type ErrorKindName } from './error-codes.js'
