import { defaultPasswordPolicy } from './domain/limits.js'
import type { QuotaName } from './domain/quotas.js'
import type { BodyBudgetLimits } from './http/body-budget.js'
import { guardLogger, silentLogger, type Logger } from './kernel/logger.js'
import { systemClock, type Clock } from './kernel/clock.js'
import type { AdministrationAddresses } from './http/administration-gate.js'
import type { BaseUrlOf, HostHooks, Identify, ResolveOrganization } from './http/host-identity.js'
import type { RateLimitRules } from './http/rate-limiter.js'
import { isBaseUrl, isOrigin, requireOptions } from './option-checks.js'
import type {
  PasswordAuthenticator,
  SecondFactor,
} from './resources/access/authentication/index.js'
import type { PasswordHashing } from './resources/people/credentials/index.js'
import type { ExternalContentRules } from './resources/files/external-content/index.js'
import type { SignOn } from './resources/access/single-sign-on/index.js'
import { FolderStorage, type FileStorage } from './resources/files/file-storage/index.js'
import type { MailSender } from './resources/accounts/email-changes/index.js'
import type { OutgoingWebhookRules } from './resources/notifications/outgoing-webhooks/index.js'
import { HttpPushRelay, type PushRelay } from './resources/notifications/push-relay/index.js'
import type { ChatServerOptions, PasswordPolicy } from './options.js'

const mebibyte = 1024 * 1024
const defaultFormBytes = 25 * mebibyte

/** The options with every default filled in. */
export interface ResolvedOptions {
  readonly allowOtherSqliteLibraries: boolean
  readonly tablePrefix: string
  readonly migrations: 'auto' | 'check' | 'off'
  readonly baseUrl: string | undefined
  readonly fakeEmailDomain: string
  readonly systemBotDomain: string
  readonly secret: string | undefined
  readonly previousSecrets: readonly string[]
  readonly lostSecrets: readonly string[]
  readonly identify: Identify | undefined
  readonly resolveOrganization: ResolveOrganization | undefined
  readonly passwordAuthenticators: readonly PasswordAuthenticator[]
  readonly passwordChangeReplacesApiKey: boolean
  readonly passwordHashing: PasswordHashing | undefined
  readonly passwordPolicy: Required<PasswordPolicy>
  readonly secondFactor: SecondFactor | undefined
  readonly administrationAddresses: AdministrationAddresses | undefined
  readonly signOn: SignOn | undefined
  readonly pushRelay: PushRelay | undefined
  readonly mail: MailSender | undefined
  readonly outgoingWebhooks: OutgoingWebhookRules
  readonly externalContent: ExternalContentRules
  readonly baseUrlOf: HostHooks['baseUrlOf']
  readonly trustedOriginsOf: HostHooks['trustedOriginsOf']
  readonly webPublicChannels: boolean
  readonly gravatar: boolean
  readonly development: boolean
  readonly heartbeatSeconds: number
  readonly queueIdleTimeoutSeconds: number
  readonly logPollMilliseconds: number
  /** As the application lists them: operations and groups. */
  readonly disabledOperationNames: readonly string[]
  readonly rateLimits: Partial<RateLimitRules> | 'off'
  readonly maxFormBytes: number
  readonly bodyBudget: BodyBudgetLimits
  readonly files: FileStorage | undefined
  readonly maxUploadMebibytes: number
  readonly uploadQuotaMebibytes: number
  readonly userUploadQuotaMebibytes: number
  readonly quotas: Readonly<Partial<Record<QuotaName, number>>>
  readonly extraEmojiType: 'service_extra_emoji' | 'zulip_extra_emoji'
  readonly clock: Clock
  readonly logger: Logger
  readonly checkResponses: boolean
}

/**
 * Fills in the defaults.
 *
 * @throws {TypeError} naming every invalid or unknown option at once.
 */
export function resolveOptions(options: ChatServerOptions): ResolvedOptions {
  requireOptions(options)
  const clock = options.clock ?? systemClock
  return {
    allowOtherSqliteLibraries: options.allowOtherSqliteLibraries ?? false,
    tablePrefix: options.tablePrefix ?? 'chat_',
    migrations: options.migrations ?? 'auto',
    baseUrl: typeof options.baseUrl === 'function' ? undefined : options.baseUrl,
    baseUrlOf: baseUrlOf(options.baseUrl),
    fakeEmailDomain: options.fakeEmailDomain ?? 'users.invalid',
    systemBotDomain: options.systemBotDomain ?? 'zulip.com',
    secret: options.secret,
    previousSecrets: options.previousSecrets ?? [],
    lostSecrets: options.lostSecrets ?? [],
    identify: options.identify,
    resolveOrganization: options.resolveOrganization,
    passwordAuthenticators: options.passwordAuthenticators ?? [],
    passwordChangeReplacesApiKey: options.passwordChangeReplacesApiKey ?? true,
    passwordHashing: options.passwordHashing,
    passwordPolicy: {
      minLength: options.passwordPolicy?.minLength ?? defaultPasswordPolicy.minLength,
      minGuesses: options.passwordPolicy?.minGuesses ?? defaultPasswordPolicy.minGuesses,
    },
    secondFactor: options.secondFactor,
    administrationAddresses: options.administrationAddresses,
    signOn: options.signOn,
    pushRelay: relayOf(options.pushRelay, clock),
    mail: options.mail,
    outgoingWebhooks: requestRulesOf(options.outgoingWebhooks),
    externalContent: requestRulesOf(options.externalContent),
    trustedOriginsOf: trustedOriginsOf(options.trustedOrigins),
    webPublicChannels: options.webPublicChannels ?? false,
    gravatar: options.gravatar ?? false,
    development: options.development ?? false,
    heartbeatSeconds: options.heartbeatSeconds ?? 45,
    queueIdleTimeoutSeconds: options.queueIdleTimeoutSeconds ?? 600,
    logPollMilliseconds: options.logPollMilliseconds ?? 250,
    disabledOperationNames: options.operations?.disabled ?? [],
    rateLimits: options.rateLimits ?? {},
    maxFormBytes: options.maxFormBytes ?? defaultFormBytes,
    bodyBudget: bodyBudgetOf(options),
    files: typeof options.files === 'string' ? new FolderStorage(options.files) : options.files,
    maxUploadMebibytes: options.maxUploadMebibytes ?? 100,
    uploadQuotaMebibytes: options.uploadQuotaMebibytes ?? 51_200,
    userUploadQuotaMebibytes: options.userUploadQuotaMebibytes ?? 5120,
    quotas: options.quotas ?? {},
    extraEmojiType: options.extraEmojiType ?? 'service_extra_emoji',
    clock,
    logger: guardLogger(options.logger ?? silentLogger),
    checkResponses: options.checkResponses ?? false,
  }
}

function baseUrlOf(option: ChatServerOptions['baseUrl']): BaseUrlOf {
  if (typeof option !== 'function') return () => option
  return (request) => {
    const url: unknown = option(request)
    if (isBaseUrl(url)) return url
    throw new TypeError('baseUrl must answer a URL without a trailing slash')
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

/** The rules for requests to addresses that users choose, which are the same for all purposes. */
function requestRulesOf(
  option: ChatServerOptions['outgoingWebhooks' | 'externalContent'] = {},
): OutgoingWebhookRules & ExternalContentRules {
  if (option === 'off') return { isOn: false, privateHosts: new Set() }
  const hosts = (option.privateHosts ?? []).map((host) => host.toLowerCase())
  return { isOn: true, privateHosts: new Set(hosts) }
}
