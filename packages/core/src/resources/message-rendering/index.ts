export { MessageRenderer, type RenderedContent } from './message-renderer.js'
