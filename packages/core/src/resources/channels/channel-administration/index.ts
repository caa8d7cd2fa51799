import { defineResource } from '../../../resource-definition/resource.js'
import { archiveStream, updateStream } from './channel-administration-operations.js'
import { getStreamEmailAddress } from './channel-email-address-operations.js'

export { ChannelAdministration } from './channel-administration.js'
export { ChannelEmailAddresses } from './channel-email-addresses.js'
export type { ChannelChanges } from './channel-changes.js'

export const channelAdministration = defineResource({
  operations: [getStreamEmailAddress, updateStream, archiveStream],
})
