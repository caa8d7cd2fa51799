export type { ChatHandler, ChatRequest, ChatResponse } from './chat-request.js'
export { openApiDocument, type OpenApiOptions } from './openapi.js'
export {
  defineOperation,
  DocumentReply,
  SerializedReply,
  FileReply,
  type Access,
  type IncomingFile,
  type Operation,
  type OperationContext,
  type OperationDeclaration,
  type ParameterKeywords,
  type RequestFacts,
  type UploadDeclaration,
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
  defaultRateLimitRules,
  RateLimiter,
  type RateLimitDomain,
  type RateLimitRule,
  type RateLimitRules,
  type RateLimitState,
} from './rate-limiter.js'
