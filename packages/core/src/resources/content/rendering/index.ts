import { defineResource } from '../../../resource-definition/resource.js'
import { renderMessage } from './message-rendering-operations.js'

export { InMemoryRenderer } from './in-memory-renderer.js'
export { MessageRenderer } from './message-renderer.js'
export { contentTraits, type MentionedGroup, type RenderedContent } from './rendered-content.js'

export const messageRendering = defineResource({
  operations: [renderMessage],
})
