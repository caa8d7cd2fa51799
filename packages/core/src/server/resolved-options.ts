import { defaultPasswordPolicy } from '../domain/limits.js'
import type { QuotaName } from '../domain/quotas.js'
import type { BodyBudgetLimits } from '../http/bodies/body-budget.js'
import type { RateLimitsOption } from '../http/limits/rate-limiter.js'
import type { BaseUrlOf, HostHooks } from '../http/pipeline/host-identity.js'
import type { HttpPipelineOptions } from '../http/pipeline/pipeline-options.js'
import { ChatAddress } from '../kernel/chat-address.js'
import { nowSeconds, systemClock, type Clock } from '../kernel/clock.js'
import { guardLogger, silentLogger, type Logger } from '../kernel/logger.js'
import type { ServerFacts } from '../kernel/server-facts.js'
import type {
  PasswordAuthenticator,
  SecondFactor,
} from '../resources/access/authentication/index.js'
import type { SignOn } from '../resources/access/single-sign-on/index.js'
import type { MailSender } from '../resources/accounts/email-changes/index.js'
import type { InvitationsOption } from '../resources/accounts/invitations/index.js'
import type { BigBlueButtonServer } from '../resources/administration/video-calls/index.js'
import type { ExternalContentRules } from '../resources/files/external-content/index.js'
import { FolderStorage, type FileStorage } from '../resources/files/file-storage/index.js'
import type { NotificationMailRules } from '../resources/notifications/mails/index.js'
import type { OutgoingWebhookRules } from '../resources/notifications/outgoing-webhooks/index.js'
import { HttpPushRelay, type PushRelay } from '../resources/notifications/push-relay/index.js'
import type { GivenSecrets, PasswordHashing } from '../resources/people/credentials/index.js'
import { webhookSettings, type WebhookSettings } from '../resources/realtime/webhooks/index.js'
import type { DatabaseRules } from '../storage/index.js'
import type { ChatServerOptions } from './chat-server-options.js'
import { requireOptions } from './option-checks.js'
import { baseUrlForm, isBaseUrl, isOrigin } from './option-values.js'

const mebibyte = 1024 * 1024
const defaultFormBytes = 25 * mebibyte

type ConfiguredFacts = Omit<ServerFacts, 'disabledOperations'>

/** The options with every default filled in, in groups as the modules take them. */
export interface ResolvedOptions {
  readonly databaseRules: DatabaseRules
  readonly tablePrefix: string
  readonly migrations: 'auto' | 'check' | 'off'
  readonly secrets: GivenSecrets
  readonly hostHooks: HostHooks
  readonly facts: ConfiguredFacts
  readonly passwordAuthenticators: readonly PasswordAuthenticator[]
  readonly passwordHashing: PasswordHashing | undefined
  readonly secondFactor: SecondFactor | undefined
  readonly signOn: SignOn | undefined
  readonly pushRelay: PushRelay | undefined
  readonly mail: MailSender | undefined
  readonly invitations: InvitationsOption
  readonly notificationMails: NotificationMailRules
  readonly outgoingWebhooks: OutgoingWebhookRules
  readonly webhooks: readonly WebhookSettings[]
  readonly externalContent: ExternalContentRules
  readonly bigBlueButton: BigBlueButtonServer | undefined
  /** As the application lists them: operations and groups. */
  readonly disabledOperationNames: readonly string[]
  readonly rateLimits: RateLimitsOption | 'off'
  readonly pipeline: HttpPipelineOptions
  readonly files: FileStorage | undefined
  readonly quotas: Readonly<Partial<Record<QuotaName, number>>>
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Fills in the defaults.
 *
 * @throws {TypeError} naming every invalid or unknown option at once.
 */
export function resolveOptions(options: ChatServerOptions): ResolvedOptions {
  requireOptions(options)
  const clock = options.clock ?? systemClock
  const hostHooks = {
    identify: options.identify,
    resolveOrganization: options.resolveOrganization,
    baseUrlOf: baseUrlOf(options.baseUrl),
    trustedOriginsOf: trustedOriginsOf(options.trustedOrigins),
  }
  const facts = factsOf(options, clock)
  return {
    databaseRules: {
      allowOtherSqliteLibraries: options.allowOtherSqliteLibraries ?? false,
      readReplica: options.readReplica,
    },
    tablePrefix: options.tablePrefix ?? 'chat_',
    migrations: options.migrations ?? 'auto',
    secrets: {
      secret: options.secret,
      previousSecrets: options.previousSecrets ?? [],
      lostSecrets: options.lostSecrets ?? [],
    },
    hostHooks,
    facts,
    passwordAuthenticators: options.passwordAuthenticators ?? [],
    passwordHashing: options.passwordHashing,
    secondFactor: options.secondFactor,
    signOn: options.signOn,
    pushRelay: relayOf(options.pushRelay, clock),
    mail: options.mail,
    invitations: options.invitations ?? {},
    notificationMails: mailRulesOf(options),
    outgoingWebhooks: requestRulesOf(options.outgoingWebhooks),
    webhooks: webhookSettings(options.webhooks),
    externalContent: requestRulesOf(options.externalContent),
    bigBlueButton: options.videoCalls?.bigBlueButton,
    disabledOperationNames: options.operations?.disabled ?? [],
    rateLimits: options.rateLimits ?? {},
    pipeline: {
      maxFormBytes: options.maxFormBytes ?? defaultFormBytes,
      bodyBudget: bodyBudgetOf(options),
      checkResponses: options.checkResponses ?? false,
      address: facts.address,
      baseUrlOf: hostHooks.baseUrlOf,
      administrationAddresses: options.administrationAddresses,
      page: options.page,
      trustedOriginsOf: hasOrigins(options.trustedOrigins) ? hostHooks.trustedOriginsOf : undefined,
    },
    files: typeof options.files === 'string' ? new FolderStorage(options.files) : options.files,
    quotas: options.quotas ?? {},
    clock,
    logger: guardLogger(options.logger ?? silentLogger),
  }
}

function factsOf(options: ChatServerOptions, clock: Clock): ConfiguredFacts {
  const { basePath = '', baseUrl } = options
  return {
    address: new ChatAddress(basePath, typeof baseUrl === 'function' ? undefined : baseUrl),
    fakeEmailDomain: options.fakeEmailDomain ?? 'users.invalid',
    systemBotDomain: options.systemBotDomain ?? 'zulip.com',
    development: options.development ?? false,
    passwordPolicy: {
      minLength: options.passwordPolicy?.minLength ?? defaultPasswordPolicy.minLength,
      minGuesses: options.passwordPolicy?.minGuesses ?? defaultPasswordPolicy.minGuesses,
    },
    passwordChangeReplacesApiKey: options.passwordChangeReplacesApiKey ?? true,
    apiKeys: options.apiKeys ?? 'on',
    ownedByApplication: options.ownedByApplication ?? [],
    externalIdsForAdministrators: options.externalIdsForAdministrators ?? false,
    webPublicChannels: options.webPublicChannels ?? false,
    gravatar: options.gravatar ?? false,
    heartbeatSeconds: options.heartbeatSeconds ?? 45,
    queueIdleTimeoutSeconds: options.queueIdleTimeoutSeconds ?? 600,
    logPollMilliseconds: options.logPollMilliseconds ?? 250,
    extraEmojiType: options.extraEmojiType ?? 'service_extra_emoji',
    maxUploadMebibytes: options.maxUploadMebibytes ?? 100,
    uploadQuotaMebibytes: options.uploadQuotaMebibytes ?? 51_200,
    userUploadQuotaMebibytes: options.userUploadQuotaMebibytes ?? 5120,
    videoCalls: {
      hasBigBlueButton: options.videoCalls?.bigBlueButton !== undefined,
      jitsiUrl: options.videoCalls?.jitsi?.url ?? null,
    },
    auditRetentionDays: options.auditRetentionDays ?? 365,
    dataExportMaxMessages: options.dataExportMaxMessages ?? 250_000,
    dataExportKeepDays: options.dataExportKeepDays ?? 30,
    sendsDigests: mailRulesOf(options).isOn,
    incomingMail: incomingMailOf(options.incomingMail),
    startedAtSeconds: nowSeconds(clock),
  }
}

function baseUrlOf(option: ChatServerOptions['baseUrl']): BaseUrlOf {
  if (typeof option !== 'function') return () => option
  return (request) => {
    const url: unknown = option(request)
    if (isBaseUrl(url)) return url
    throw new TypeError(`baseUrl must answer ${baseUrlForm}`)
  }
}

function trustedOriginsOf(
  option: ChatServerOptions['trustedOrigins'] = [],
): HostHooks['trustedOriginsOf'] {
  if (typeof option !== 'function') return () => option
  return async (request) => {
    const origins: unknown = await option(request)
    if (Array.isArray(origins) && origins.every(isOrigin)) return origins
    throw new TypeError('trustedOrigins must answer a list of origins, such as https://app.example')
  }
}

function hasOrigins(option: ChatServerOptions['trustedOrigins'] = []): boolean {
  return typeof option === 'function' || option.length > 0
}

function bodyBudgetOf(options: ChatServerOptions): BodyBudgetLimits {
  const { maxFormBytes = defaultFormBytes } = options
  const { maxBufferedMebibytes: all, maxBufferedMebibytesPerAddress: perAddress } = options
  return {
    maxBytes: all === undefined ? Math.max(256 * mebibyte, 4 * maxFormBytes) : all * mebibyte,
    maxBytesPerAddress:
      perAddress === undefined ? Math.max(64 * mebibyte, 2 * maxFormBytes) : perAddress * mebibyte,
  }
}

function relayOf(option: ChatServerOptions['pushRelay'], clock: Clock): PushRelay | undefined {
  if (option === undefined || 'sendToDevices' in option) return option
  return new HttpPushRelay(option, clock)
}

/** Mails are sent outside of requests, so their links need a fixed URL. */
function mailRulesOf({
  mail,
  baseUrl,
  notificationMails = {},
}: ChatServerOptions): NotificationMailRules {
  const options = notificationMails === 'off' ? {} : notificationMails
  const { template, digestTemplate, maxPerUserAndHour = 20 } = options
  const isOn = notificationMails !== 'off' && mail !== undefined && typeof baseUrl === 'string'
  return { isOn, template, digestTemplate, maxPerUserAndHour }
}

function incomingMailOf(option: ChatServerOptions['incomingMail']): ServerFacts['incomingMail'] {
  if (option === undefined) return undefined
  return { domain: option.domain, maxMailBytes: (option.maxMebibytes ?? 10) * mebibyte }
}

/** The rules for requests to addresses that users choose, which are the same for all purposes. */
function requestRulesOf(
  option: ChatServerOptions['outgoingWebhooks' | 'externalContent'] = {},
): OutgoingWebhookRules & ExternalContentRules {
  if (option === 'off') return { isOn: false, privateHosts: new Set() }
  const hosts = (option.privateHosts ?? []).map((host) => host.toLowerCase())
  return { isOn: true, privateHosts: new Set(hosts) }
}
