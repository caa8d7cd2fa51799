export type { ChatRequest, ChatResponse } from './chat-request.js'
export { callersOf } from './access.js'
export { openApiDocument } from './openapi.js'
export { defineOperation, SerializedReply, type Operation } from './operation.js'
export {
  HttpPipeline,
  type HttpPipelineDependencies,
  type HttpPipelineOptions,
} from './pipeline.js'
export type { Organization } from './ports.js'
export { RateLimiter, type RateLimitRules } from './rate-limiter.js'
