import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { MessagePreview } from './message-preview.js'

export const renderMessage = defineOperation({
  id: 'render-message',
  summary: 'Render content as a message of the acting user.',
  method: 'POST',
  path: '/messages/render',
  access: 'user',
  params: { content: Bounded.text({ unstorable: 'own' }) },
  response: Type.Object({ rendered: Type.String() }),
  errors: ['BAD_REQUEST'],
  service: MessagePreview,
  handle: async (preview, { actor, params }) => ({
    rendered: await preview.render(actor, params.content),
  }),
})
