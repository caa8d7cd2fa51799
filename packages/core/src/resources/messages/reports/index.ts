export { reportMessage } from './message-report-operations.js'
