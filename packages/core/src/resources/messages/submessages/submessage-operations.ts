import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { defineOperation } from '../../../http/operation.js'
import { SubmessageService } from './submessage-service.js'
import { submessages } from './submessages-table.js'

export const addSubmessage = defineOperation({
  id: 'add-submessage',
  summary: 'Add a submessage to a message with a widget, such as a vote in a poll.',
  method: 'POST',
  path: '/submessage',
  access: 'user',
  isPersonal: true,
  params: {
    message_id: Bounded.id(),
    msg_type: Type.String({
      maxLength: submessages.columns.msg_type.maxLength,
      description: '`widget`.',
    }),
    content: Type.String({
      maxLength: limits.maxMessageLength,
      description: 'JSON.',
      contentKind: 'message.widget',
    }),
  },
  response: Type.Object({}),
  errors: ['BAD_REQUEST'],
  service: SubmessageService,
  async handle(submessages, { actor, params }) {
    await submessages.attach(actor, params.message_id, params.msg_type, params.content)
    return {}
  },
})
