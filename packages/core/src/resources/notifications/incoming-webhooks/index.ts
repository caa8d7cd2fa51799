import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation, type OperationDeclaration } from '../../../http/operation.js'
import { maxJsonLength } from '../../../http/parameters/json-text.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { IncomingWebhookService } from './incoming-webhook-service.js'
import { messageOfJson } from './json-message.js'
import { messageOfSlack } from './slack-message.js'

const target = {
  api_key: Type.Optional(
    Bounded.name({ description: 'The API key of an incoming webhook bot, in the query.' }),
  ),
  stream: Type.Optional(
    Bounded.name({
      description: "Name or id of a channel. Default: a direct message to the bot's owner.",
    }),
  ),
  topic: Type.Optional(Bounded.topic()),
}

const noFields = Type.Object({})

/** The common parts of both operations. */
const webhook = {
  method: 'POST',
  access: 'user',
  servesIncomingWebhooks: true,
  takesKeyInQuery: true,
  bodyParameter: 'payload',
  undocumented: true,
  errors: [
    'BAD_REQUEST',
    'REQUEST_VARIABLE_MISSING',
    'UNAUTHORIZED_PRINCIPAL',
    'STREAM_DOES_NOT_EXIST',
    'TOPIC_POLICY_VIOLATED',
  ],
  service: IncomingWebhookService,
} as const satisfies Partial<
  OperationDeclaration<typeof target, typeof noFields, IncomingWebhookService, 'user'>
>

const sendSlackMessage = defineOperation({
  ...webhook,
  id: 'send-slack-webhook-message',
  summary: 'Send a message in the format of Slack incoming webhooks, as an incoming webhook bot.',
  path: '/external/slack_incoming',
  params: {
    ...target,
    payload: Bounded.json(maxJsonLength, {
      unstorable: 'replaced',
      description:
        'The body, if it is JSON, or a form field: `text` as mrkdwn, `blocks`, `attachments`, and `channel`, which is the topic if there is no `topic`.',
    }),
  },
  response: Type.Object({ ok: Type.Literal(true) }),
  async handle(webhooks, { actor, params }) {
    const place = { channel: params.stream, topic: params.topic }
    const text = messageOfSlack(params.payload)
    await webhooks.send(actor, place, text, 'SlackIncomingWebhook')
    return { ok: true as const }
  },
})

const sendJsonMessage = defineOperation({
  ...webhook,
  id: 'send-json-webhook-message',
  summary: 'Send any JSON as a message of an incoming webhook bot.',
  path: '/external/json',
  params: {
    ...target,
    payload: Bounded.json(maxJsonLength, {
      unstorable: 'replaced',
      description:
        'The body, if it is JSON, or a form field: `text` as Markdown and `topic`; without a `text`, the message shows the JSON as a code block.',
    }),
  },
  response: Type.Object({ id: Type.Integer({ description: 'The id of the message.' }) }),
  async handle(webhooks, { actor, params }) {
    const place = { channel: params.stream, topic: params.topic }
    const text = messageOfJson(params.payload)
    return { id: await webhooks.send(actor, place, text, 'JsonIncomingWebhook') }
  },
})

export const incomingWebhooks = defineResource({
  operations: [sendSlackMessage, sendJsonMessage],
})
