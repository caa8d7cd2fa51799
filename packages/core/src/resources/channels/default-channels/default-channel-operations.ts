import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { DefaultChannelService } from './default-channel-service.js'

export const addDefaultStream = defineOperation({
  id: 'add-default-stream',
  summary: 'Add a channel to the default channels of new users.',
  method: 'POST',
  path: '/default_streams',
  access: 'administrator',
  params: { stream_id: Bounded.id() },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  service: DefaultChannelService,
  async handle(channels, { actor, params }) {
    await channels.add(actor, params.stream_id)
    return {}
  },
})

export const removeDefaultStream = defineOperation({
  id: 'remove-default-stream',
  summary: 'Remove a channel from the default channels of new users.',
  method: 'DELETE',
  path: '/default_streams',
  access: 'administrator',
  params: { stream_id: Bounded.id() },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  service: DefaultChannelService,
  async handle(channels, { actor, params }) {
    await channels.remove(actor, params.stream_id)
    return {}
  },
})
