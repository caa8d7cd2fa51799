import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

export const submessageAdded = defineEvent({
  type: 'submessage',
  decidesNothing: true,
  messageId: ({ message_id }) => message_id,
  summary:
    'A submessage, such as a vote, was added to a message. Sent to the users who get events about reactions to it.',
  payload: Type.Object({
    msg_type: Type.String(),
    content: Type.String({ description: 'JSON.' }),
    message_id: Type.Integer(),
    sender_id: Type.Integer({ description: 'The user who added it.' }),
    submessage_id: Type.Integer(),
  }),
})
