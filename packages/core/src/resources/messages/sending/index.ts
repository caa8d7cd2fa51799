import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { badRequest } from '../../../errors/index.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { messageSent } from './message-events.js'
import { MessageService } from './message-service.js'
import { maxTargetLength } from './message-target.js'

export { messageSent } from './message-events.js'
export { SystemBotMessages, type SystemBotDraft } from './system-bot-messages.js'
export { Mentions } from './mentions.js'
export { draftOf, isHumanClient, type MessageRequest } from './message-draft.js'
export { MessageHooks } from './message-hooks.js'
export { MessagePreparation } from './message-preparation.js'
export { OutsideMessages } from './outside-messages.js'
export { LocalIds } from './local-ids.js'
export { ContentWrites } from './content-writes.js'
export { DirectRecipients } from './direct-recipients.js'
export { DueMessages } from './due-messages.js'
export { MessageSending, type PreparedMessages } from './message-sending.js'
export { MessageSentStepToken, type MessageSentStep } from './message-sent-steps.js'
export type { PreparedMessage, StagedMessage } from './message-stages.js'

const sendMessage = defineOperation({
  id: 'send-message',
  summary: 'Send a message to a channel or to users.',
  method: 'POST',
  path: '/messages',
  access: 'user',
  servesIncomingWebhooks: true,
  isRepeatable: true,
  params: {
    type: Type.Union([
      Type.Literal('direct'),
      Type.Literal('channel'),
      Type.Literal('stream'),
      Type.Literal('private'),
    ]),
    to: Type.Optional(
      Type.String({
        maxLength: maxTargetLength,
        orJson: Type.Union([Bounded.id(), Bounded.ids(), Bounded.names()]),
        description: 'The name or id of the channel, or a list of ids or email addresses of users.',
      }),
    ),
    content: Bounded.text({ contentKind: 'message.content', unstorable: 'own' }),
    topic: Type.Optional(Bounded.topic({ aliases: ['subject'], contentKind: 'message.topic' })),
    queue_id: Type.Optional(Bounded.name()),
    local_id: Type.Optional(Bounded.name()),
    read_by_sender: Type.Optional(Type.Boolean()),
    widget_content: Type.Optional(
      Type.String({
        maxLength: limits.maxWidgetContentLength,
        contentKind: 'message.widget',
        description: 'JSON of a `zform`, which clients display as buttons.',
      }),
    ),
    // Only mirroring accounts could send messages for other users, and there are none.
    sender: Type.Optional(Bounded.name()),
    forged: Type.Optional(Type.Boolean()),
  },
  clientParameters: {
    queue_id: undefined,
    local_id: undefined,
    sender: undefined,
    forged: undefined,
  },
  response: Type.Object(
    {
      id: Type.Integer(),
      automatic_new_visibility_policy: Type.Optional(
        Type.Integer({
          description: 'The new policy of the sender for the topic: 2 unmuted, 3 followed.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  errors: [
    'BAD_REQUEST',
    'STREAM_DOES_NOT_EXIST',
    'TOPIC_POLICY_VIOLATED',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  service: MessageService,
  async handle(messages, { actor, params, request }) {
    if (params.forged === true) throw badRequest('USER_QUERY_NOT_ALLOWED')
    if (params.sender !== undefined) throw badRequest('MIRRORED_MESSAGE_INVALID')
    const { id, visibilityPolicy } = await messages.send(actor, {
      type: params.type,
      to: params.to,
      topic: params.topic,
      content: params.content,
      readBySender: params.read_by_sender,
      clientName: request.clientName,
      queueId: params.queue_id,
      localId: params.local_id,
      repeatable: request.repeatable,
      widgetContent: params.widget_content,
    })
    if (visibilityPolicy === undefined) return { id }
    return { id, automatic_new_visibility_policy: visibilityPolicy }
  },
})

export const messageSending = defineResource({
  operations: [sendMessage],
  events: [messageSent],
})
