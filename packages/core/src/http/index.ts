export type { ChatRequest, ChatResponse } from './chat-request.js'
export { callersOf } from './pipeline/access.js'
export { openApiDocument } from './openapi/openapi.js'
export { defineOperation, SerializedReply, type Operation } from './operation.js'
export { HttpPipeline } from './pipeline/pipeline.js'
export {
  type HttpPipelineDependencies,
  type HttpPipelineOptions,
} from './pipeline/pipeline-options.js'
export type { Organization } from './ports.js'
export {
  RateLimiter,
  type RateLimitedCall,
  type RateLimitRules,
  type RateLimitsOption,
} from './limits/rate-limiter.js'
