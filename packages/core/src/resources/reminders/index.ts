export { ReminderDelivery } from './reminder-delivery.js'
export { reminderEvents } from './reminder-events.js'
export { reminderOperations } from './reminder-operations.js'
export { ReminderSection } from './reminder-snapshot.js'
