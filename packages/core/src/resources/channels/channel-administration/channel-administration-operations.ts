import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { ChannelAdministration } from './channel-administration.js'
import { channelChangeParameters, channelChanges } from './channel-changes.js'

export const updateStream = defineOperation({
  id: 'update-stream',
  summary: 'Change a channel, or restore an archived one.',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  access: 'user',
  params: { stream_id: Bounded.id(), ...channelChangeParameters },
  response: Type.Object({}),
  errors: [
    'BAD_REQUEST',
    'CHANNEL_ALREADY_EXISTS',
    'EXPECTATION_MISMATCH',
    'REQUEST_VARIABLE_INVALID',
    'UNAUTHORIZED_PRINCIPAL',
  ],
  service: ChannelAdministration,
  async handle(channels, { actor, params }) {
    await channels.update(actor, params.stream_id, channelChanges(params))
    return {}
  },
})

export const archiveStream = defineOperation({
  id: 'archive-stream',
  summary: 'Archive a channel.',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  access: 'user',
  params: { stream_id: Bounded.id() },
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: ChannelAdministration,
  async handle(channels, { actor, params }) {
    await channels.archive(actor, params.stream_id)
    return {}
  },
})
