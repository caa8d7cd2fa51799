import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { MessagePreview } from './message-preview.js'

export { InMemoryRenderer } from './in-memory-renderer.js'
export { MessageRenderer } from './message-renderer.js'
export { contentTraits, type MentionedGroup, type RenderedContent } from './rendered-content.js'

const renderMessage = defineOperation({
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

export const messageRendering = defineResource({
  operations: [renderMessage],
})
