export { avatarOperations } from './avatar-operations.js'
