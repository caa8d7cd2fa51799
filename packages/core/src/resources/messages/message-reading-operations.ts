import { Type } from 'typebox'

import { defineOperation } from '../../http/operation.js'
import { MessageReader } from './message-reader.js'
import { MessageObject } from './message-schemas.js'

export const getMessage = defineOperation({
  id: 'get-message',
  summary: 'Fetch a single message.',
  method: 'GET',
  path: '/messages/{message_id}',
  access: 'user',
  params: {
    message_id: Type.Integer(),
    apply_markdown: Type.Boolean({ default: true }),
    allow_empty_topic_name: Type.Boolean({ default: false }),
  },
  response: Type.Object(
    {
      message: MessageObject,
      raw_content: Type.String({ description: 'The Markdown that its sender wrote.' }),
    },
    { additionalProperties: false },
  ),
  errors: ['BAD_REQUEST'],
  service: MessageReader,
  async handle(messages, { actor, params }) {
    const { message, rawContent } = await messages.get(actor, params.message_id, {
      applyMarkdown: params.apply_markdown,
      clientGravatar: true,
      allowsEmptyTopics: params.allow_empty_topic_name,
    })
    return { message, raw_content: rawContent }
  },
})
