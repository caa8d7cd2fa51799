import 'reflect-metadata'

export type {
  ChatApi,
  OperationGroup,
  OperationId,
  OperationMap,
  PersonalOperation,
} from './server/api-types.generated.js'
export type { NarrowTerm } from '@parley/wire/operations'
/** The parameters and results of the operations, such as `Api.SendMessageParams`. */
export type * as Api from '@parley/wire/operations'
export type { CallOptions, RepeatableCallOptions } from './server/call-options.js'
export type {
  ChatHealth,
  ChatServer,
  SystemApi,
  UserApi,
  UserReference,
} from './server/chat-server.js'
export { createChatServer } from './server/create-chat-server.js'
export { ChatError, type ErrorKindName } from './errors/index.js'
export type {
  Language,
  NamedText,
  TextName,
  TextsOption,
  TextValue,
  TextValues,
} from './texts/index.js'
export type { FileToUpload } from './http/calls/application-calls.js'
export type { ReturnedFile } from './http/replies/plain-result.js'
export type { ChatHandler, ChatRequest, ChatResponse, FrameworkFacts } from './http/chat-request.js'
export type { ChatPage, PageContext } from './http/replies/chat-page.js'
export type { AfterHook, BeforeHook, OperationCall, OperationSuccess } from './server/hooks.js'
export type {
  ContentCall,
  ContentHook,
  HookCaller,
  HookUser,
} from './events/application/operation-hooks.js'
export type { ContentKind } from './domain/messages/content-kinds.js'
export type {
  ChatEvents,
  ChatEventFacts,
  EventChannel,
  UnreadCountsEvent,
} from './events/application/chat-events.js'
export type { AnyChatEvent } from './events/application/application-events.js'
export type { BusConnection, BusListener, EphemeralEvent, EventBus } from './events/bus/bus.js'
export type { RecipientFields, RecipientGroup } from './events/event.js'
export type { LogRecipients, LogRecord } from './events/log/log-entry.js'
export type { AdministrationAddresses } from './http/pipeline/administration-gate.js'
export type {
  HostIdentity,
  Identify,
  IdentifyInOrganization,
  IdentifyContext,
  OrganizationIdentity,
  ResolveOrganization,
} from './http/pipeline/host-identity.js'
export type {
  AuditAction,
  AuditActorType,
  AuditChanges,
  AuditObjectType,
} from './domain/organizations/audit-actions.js'
export type { QuotaName } from './domain/quotas.js'
export type {
  RateLimitKey,
  RateLimitOutcome,
  RateLimitRule,
  RateLimitStore,
} from './http/limits/rate-limit-store.js'
export type {
  CallRateLimits,
  RateLimitDomain,
  RateLimitedCall,
  RateLimitRules,
  RateLimitsOption,
} from './http/limits/rate-limiter.js'
export type { Clock, Timer } from './kernel/clock.js'
export type { Logger, LogFields } from './kernel/logger.js'
export type { SetupProblem, SetupProblemCode } from './kernel/setup-problems.js'
export type {
  TelemetryMeter,
  TelemetryOptions,
  TelemetryTracer,
} from './kernel/telemetry/open-telemetry.js'
export type { MetricMessage } from './kernel/telemetry/measure.js'
export type {
  CommitMessage,
  ConsumerMessage,
  DeliveryMessage,
  OperationMessage,
  StatementMessage,
} from './kernel/telemetry/spans.js'
export type {
  ChatServerOptions,
  OneOrganizationOptions,
  SeveralOrganizationsOptions,
} from './server/chat-server-options.js'
export type { OperationsOption, PasswordPolicy } from './server/option-groups.js'
export type { AllServerOptions } from './server/options.js'
export type {
  ClusterConfiguration,
  DatabaseDriver,
  DatabaseOption,
  ExecutorResult,
  KnexClient,
  KnexConfiguration,
  KnexInstance,
  KnexTransaction,
  PendingMigrations,
  PooledConfiguration,
  TransactionExecutor,
  WorkBacklogs,
} from './storage/index.js'
export { NodeSqliteClient } from './storage/index.js'
export type {
  AccessToken,
  CreateTokenOptions,
  EndSessionsOptions,
  PasswordAttempt,
  PasswordAuthenticator,
  PasswordVerdict,
  SecondFactor,
  SecondFactorAttempt,
  SecondFactorVerdict,
} from './resources/access/authentication/index.js'
export type {
  ChatConsumer,
  ChatEventName,
  ConsumerContext,
  ConsumerOptions,
  ConsumerState,
  EventContext,
  ParkedEvent,
  SeparateConsumerOptions,
} from './resources/realtime/consumers/index.js'
export type {
  UnreadChannel,
  UnreadConversation,
  UnreadMessage,
  UnreadOptions,
  UnreadPerson,
  UserUnread,
} from './resources/messages/unread-counts/index.js'
export type { UserPresence } from './resources/personal/presence/index.js'
export type { SearchIndexState } from './resources/messages/search-index/index.js'
export type { SignOn } from './resources/access/single-sign-on/index.js'
export type {
  ApplicationChannel,
  EnsuredChannel,
  EnsureResult,
  SubscriberReference,
} from './resources/channels/application-channels/index.js'
export type { AuditLogEntry, AuditOptions } from './resources/administration/audit-log/index.js'
export type {
  ErasedUser,
  EraseOptions,
  ExportOptions,
} from './resources/administration/personal-data/index.js'
export type {
  AccountReference,
  ApplicationUser,
  OrganizationReference,
  SyncedGroup,
  SyncedUser,
  SyncOptions,
  SyncProblem,
  SyncResult,
} from './resources/people/users/index.js'
export {
  PushRelayError,
  type DeviceNotification,
  type DeviceNotificationOutcome,
  type DeviceRegistration,
  type PushRelay,
  type PushRelayAddress,
  type PushRelayProblem,
  type PushStatus,
  type PushToken,
  type PushUser,
  type TokenNotification,
  type TokenNotificationOutcome,
} from './resources/notifications/push-relay/index.js'
export type {
  InvitationAnswer,
  InvitationsOption,
  OpenInvitation,
} from './resources/accounts/invitations/index.js'
export type {
  IncomingMailOption,
  MailEnvelope,
  MailRefusal,
  ReceivedMail,
} from './resources/notifications/incoming-mail/index.js'
export type { Mail, MailSender } from './resources/accounts/email-changes/index.js'
export type {
  Digest,
  DigestChannel,
  DigestTopic,
  MissedConversation,
  MissedMessage,
  NotificationMailsOption,
  NotificationMailTexts,
} from './resources/notifications/mails/index.js'
export type { ExternalContentOption } from './resources/files/external-content/index.js'
export type { OutgoingWebhookOption } from './resources/notifications/outgoing-webhooks/index.js'
export {
  verifyWebhook,
  type WebhookDelivery,
  type WebhookDeliveryOf,
  type WebhookOption,
  type WebhookToVerify,
} from './resources/realtime/webhooks/index.js'
export type {
  BigBlueButtonServer,
  VideoCallsOption,
} from './resources/administration/video-calls/index.js'
export type { ByteRange, FileStorage } from './resources/files/file-storage/index.js'
export type {
  ApplicationOrganization,
  CreatedOrganization,
  DeleteOptions,
  EnsuredOrganization,
  NewOrganization,
  OrganizationUpdate,
} from './resources/administration/organization-lifecycle/index.js'
export {
  attachUpgrade,
  sendChatResponse,
  toChatRequest,
  type AttachUpgradeOptions,
  type FetchOptions,
  type ToChatRequestOptions,
} from './node/index.js'
