export {
  contentTraits,
  MessageRenderer,
  type MentionedGroup,
  type RenderedContent,
} from './message-renderer.js'
export { renderMessage } from './message-rendering-operations.js'
