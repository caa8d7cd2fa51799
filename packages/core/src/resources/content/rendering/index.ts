export { InMemoryRenderer } from './in-memory-renderer.js'
export { MessageRenderer } from './message-renderer.js'
export { renderMessage } from './message-rendering-operations.js'
export { contentTraits, type MentionedGroup, type RenderedContent } from './rendered-content.js'
