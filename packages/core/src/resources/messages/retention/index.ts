export { MessageRetention } from './message-retention.js'
