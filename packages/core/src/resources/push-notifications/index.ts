export { pushNotificationOperations } from './push-notification-operations.js'
