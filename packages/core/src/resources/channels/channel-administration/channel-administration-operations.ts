import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { ChannelAdministration } from './channel-administration.js'
import { channelChangeParameters, channelChanges } from './channel-changes.js'

export const updateStream = defineCommand({
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

export const archiveStream = defineCommand({
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
