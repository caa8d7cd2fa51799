export { archiveStream, updateStream } from './channel-administration-operations.js'
export { getStreamEmailAddress } from './channel-email-address-operations.js'
