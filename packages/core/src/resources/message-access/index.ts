export { ChannelAudience } from './channel-audience.js'
export { MessageAccess, type VisibleMessage } from './message-access.js'
export { type MessageRow, type UserMessageRow } from './message-access-repository.js'
