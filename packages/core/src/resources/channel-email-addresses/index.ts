export { getStreamEmailAddress } from './channel-email-address-operations.js'
