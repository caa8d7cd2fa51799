export { emailChangeOperations } from './email-change-operations.js'
export { EmailChanges, type WantedEmailChange } from './email-changes.js'
