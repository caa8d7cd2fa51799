export type { ChatHandler, ChatRequest, ChatResponse, FrameworkFacts } from './chat-request.js'
export { callersOf } from './access.js'
export { openApiDocument } from './openapi.js'
export {
  defineOperation,
  DocumentReply,
  SerializedReply,
  FileReply,
  type Operation,
  type RequestFacts,
  type UploadedFile,
} from './operation.js'
export {
  HttpPipeline,
  type HttpPipelineDependencies,
  type HttpPipelineOptions,
} from './pipeline.js'
export {
  AuthenticatorToken,
  noOrganization,
  OrganizationResolverToken,
  type Authenticator,
  type Organization,
  type OrganizationResolver,
} from './ports.js'
export {
  RateLimiter,
  type RateLimitDomain,
  type RateLimitRule,
  type RateLimitRules,
} from './rate-limiter.js'
