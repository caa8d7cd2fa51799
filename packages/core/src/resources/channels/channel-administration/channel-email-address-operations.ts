import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { ChannelEmailAddresses } from './channel-email-addresses.js'

export const getStreamEmailAddress = defineOperation({
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
