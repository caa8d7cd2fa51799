import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { ChannelAdministration } from './channel-administration.js'
import { channelChangeParameters, channelChanges } from './channel-changes.js'
import { ChannelEmailAddresses } from './channel-email-addresses.js'

export { ChannelAdministration } from './channel-administration.js'
export { ChannelEmailAddresses } from './channel-email-addresses.js'
export type { ChannelChanges } from './channel-changes.js'

const updateStream = defineCommand({
  id: 'update-stream',
  summary: 'Change a channel, or restore an archived one.',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  access: 'user',
  params: { stream_id: Bounded.id(), ...channelChangeParameters },
  errors: [
    'BAD_REQUEST',
    'CHANNEL_ALREADY_EXISTS',
    'EXPECTATION_MISMATCH',
    'REQUEST_VARIABLE_INVALID',
    'UNAUTHORIZED_PRINCIPAL',
  ],
  service: ChannelAdministration,
  handle: (channels, { actor, params }) =>
    channels.update(actor, params.stream_id, channelChanges(params)),
})

const archiveStream = defineCommand({
  id: 'archive-stream',
  summary: 'Archive a channel.',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  access: 'user',
  params: { stream_id: Bounded.id() },
  errors: ['BAD_REQUEST'],
  service: ChannelAdministration,
  handle: (channels, { actor, params }) => channels.archive(actor, params.stream_id),
})

const getStreamEmailAddress = defineOperation({
  id: 'get-stream-email-address',
  summary:
    'Get the e-mail address of a channel, at which mail becomes messages; empty without incoming mail.',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  access: 'user',
  answersWithSecrets: true,
  params: {
    stream_id: Bounded.id(),
    sender_id: Type.Optional(
      Bounded.id({ description: 'The caller, a bot of theirs, or the e-mail gateway.' }),
    ),
  },
  response: Type.Object({
    email: Type.String({ description: 'Empty if the server receives no mail.' }),
  }),
  errors: ['BAD_REQUEST'],
  service: ChannelEmailAddresses,
  async handle(addresses, { actor, params }) {
    return { email: await addresses.addressOf(actor, params.stream_id, params.sender_id) }
  },
})

export const channelAdministration = defineResource({
  operations: [getStreamEmailAddress, updateStream, archiveStream],
})
