import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { editTyping, messageTyping } from './typing-events.js'
import { TypingService } from './typing-service.js'

const Op = Type.Union([Type.Literal('start'), Type.Literal('stop')])

const setTypingStatus = defineCommand({
  id: 'set-typing-status',
  summary: 'Notify other users that the caller started or stopped typing a message.',
  method: 'POST',
  path: '/typing',
  access: 'user',
  isPersonal: true,
  params: {
    type: Type.Union([Type.Literal('direct'), Type.Literal('stream'), Type.Literal('channel')], {
      default: 'direct',
    }),
    op: Op,
    to: Type.Optional(Bounded.ids({ description: 'User ids; for direct messages.' })),
    stream_id: Type.Optional(Bounded.id({ description: 'For channel messages.' })),
    topic: Type.Optional(
      Bounded.topic({ description: 'For channel messages.', aliases: ['subject'] }),
    ),
  },
  errors: ['BAD_REQUEST'],
  service: TypingService,
  handle: (service, { actor, params }) =>
    service.announce(actor, params.op, {
      type: params.type,
      userIds: params.to,
      channelId: params.stream_id,
      topic: params.topic,
    }),
})

const setTypingStatusForMessageEdit = defineCommand({
  id: 'set-typing-status-for-message-edit',
  summary: 'Notify other users that the caller started or stopped editing a message.',
  method: 'POST',
  path: '/messages/{message_id}/typing',
  access: 'user',
  isPersonal: true,
  params: { message_id: Bounded.id(), op: Op },
  errors: ['BAD_REQUEST'],
  service: TypingService,
  handle: (service, { actor, params }) => service.announceEdit(actor, params.op, params.message_id),
})

export const typing = defineResource({
  operations: [setTypingStatus, setTypingStatusForMessageEdit],
  events: [messageTyping.start, messageTyping.stop, editTyping.start, editTyping.stop],
})
