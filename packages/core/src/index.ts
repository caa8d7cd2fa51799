import 'reflect-metadata'

export { ChatError } from './errors/index.js'
export type { ChatHandler, ChatRequest, ChatResponse } from './http/index.js'
export {
  attachUpgrade,
  sendChatResponse,
  toChatRequest,
  type ToChatRequestOptions,
} from './node/index.js'
