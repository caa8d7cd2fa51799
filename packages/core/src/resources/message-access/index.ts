export { ChannelAudience } from './channel-audience.js'
export { MessageAccess, type VisibleMessage } from './message-access.js'
export { type MessageRow } from './message-access-repository.js'
