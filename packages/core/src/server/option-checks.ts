import { limits } from '../domain/limits.js'
import { quotaNames } from '../domain/quotas.js'
import { defaultRateLimitRules } from '../http/limits/rate-limiter.js'
import { isRuleList, ruleListForm } from '../http/limits/rule-lists.js'
import { isAddressRange } from '../http/pipeline/administration-gate.js'
import { isRecord, propertiesOf } from '../kernel/objects.js'
import { isHostName } from '../kernel/outgoing-requests.js'
import { videoCallsProblem } from '../resources/administration/video-calls/index.js'
import { incomingMailProblem } from '../resources/notifications/incoming-mail/index.js'
import { notificationMailsProblem } from '../resources/notifications/mails/index.js'
import type { PushRelay } from '../resources/notifications/push-relay/index.js'
import { webhooksProblem } from '../resources/realtime/webhooks/index.js'
import { textsProblem } from '../texts/index.js'
import type { ChatServerOptions } from './chat-server-options.js'
import {
  baseUrlForm,
  call,
  emailDomain,
  flag,
  isBaseUrl,
  isOrigin,
  isPageAddress,
  isSecret,
  listOf,
  number,
  object,
  oneOf,
  type Check,
} from './option-values.js'
import type { AllServerOptions } from './options.js'

/** In characters. */
const maxBasePathLength = 200

/**
 * One spelling only, which every framework passes on unchanged: segments of characters that need no
 * encoding, except dot segments.
 */
const basePath: Check = (value) =>
  typeof value === 'string' &&
  value.length <= maxBasePathLength &&
  /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+$/.test(value)
    ? undefined
    : `must be a path such as /chat, of at most ${maxBasePathLength} characters: segments of letters, digits and -._ without a slash at the end`

const rateLimits: Check = (value) => {
  const { rules, store, ...lists } = propertiesOf(value)
  const isRight =
    value === 'off' ||
    (isRecord(value) &&
      (rules === undefined || call(rules) === undefined) &&
      (store === undefined || object('consume', 'refund', 'forget')(store) === undefined) &&
      Object.entries(lists).every(
        ([name, list]) => Object.hasOwn(defaultRateLimitRules, name) && isRuleList(list),
      ))
  const names = Object.keys(defaultRateLimitRules).join(', ')
  return isRight
    ? undefined
    : `must be rules or 'off': ${ruleListForm} for any of ${names}, and optionally the function rules, and a store with consume, refund and forget`
}

const signOnPage: Check = (value) => {
  const { displayName, loginUrl, signupUrl } = propertiesOf(value)
  const isRight =
    typeof displayName === 'string' &&
    displayName !== '' &&
    isPageAddress(loginUrl) &&
    (signupUrl === undefined || isPageAddress(signupUrl))
  return isRight ? undefined : 'must be an object with displayName and loginUrl'
}

const invitationsOption: Check = (value) => {
  const { acceptUrl, termsUrl, continueUrl, confirmAddresses, ...others } = propertiesOf(value)
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(others).length === 0 &&
    [acceptUrl, termsUrl, continueUrl].every((url) => url === undefined || isPageAddress(url)) &&
    (confirmAddresses === undefined || typeof confirmAddresses === 'boolean')
  return isRight
    ? undefined
    : 'must be an object with any of acceptUrl, termsUrl and continueUrl, paths or URLs, and confirmAddresses, true or false'
}

const passwordPolicy: Check = (value) => {
  const isInteger = (item: unknown, minimum: number, maximum: number): boolean =>
    Number.isSafeInteger(item) && Number(item) >= minimum && Number(item) <= maximum
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([name, item]: [string, unknown]) =>
        item === undefined ||
        (name === 'minLength' && isInteger(item, 1, limits.passwordMaxLength)) ||
        (name === 'minGuesses' && isInteger(item, 0, Number.MAX_SAFE_INTEGER)),
    )
  return isRight
    ? undefined
    : `must be an object with minLength, from 1 to ${limits.passwordMaxLength}, and minGuesses, both whole numbers`
}

const requestRules: Check = (value) => {
  if (value === 'off') return undefined
  const { privateHosts = [], ...others } = propertiesOf(value)
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(others).length === 0 &&
    Array.isArray(privateHosts) &&
    privateHosts.every(isHostName)
  return isRight
    ? undefined
    : "must be 'off', or an object with privateHosts, a list of names and addresses without ports"
}

const quotaLimits: Check = (value) => {
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([name, limit]: [string, unknown]) =>
        quotaNames.some((known) => known === name) &&
        typeof limit === 'number' &&
        (Number.isInteger(limit) || limit === Infinity) &&
        limit >= 0,
    )
  return isRight
    ? undefined
    : `must be an object of integers from 0, or Infinity, with keys among ${quotaNames.join(', ')}`
}

const operationsOption: Check = (value) => {
  const { disabled = [], ...others } = propertiesOf(value)
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(others).length === 0 &&
    Array.isArray(disabled) &&
    disabled.every((name) => typeof name === 'string')
  return isRight ? undefined : 'must be an object with disabled, a list of operations and groups'
}

const relayMethods = [
  'registerToken',
  'unregisterToken',
  'unregisterAllTokens',
  'sendTest',
  'sendToTokens',
  'registerDevice',
  'sendToDevices',
] as const satisfies readonly (keyof PushRelay)[]

const relay: Check = (value) => {
  if (object(...relayMethods)(value) === undefined) return undefined
  const { url, serverId, serverKey } = propertiesOf(value)
  const isAddress =
    typeof url === 'string' &&
    /^https?:/.test(url) &&
    URL.canParse(url) &&
    !url.endsWith('/') &&
    [serverId, serverKey].every((part) => typeof part === 'string' && part !== '')
  return isAddress
    ? undefined
    : 'must be an object with url (no trailing slash), serverId and serverKey, or a push relay'
}

const telemetry: Check = (value) => {
  const { tracer, meter, ...others } = propertiesOf(value)
  const isTracer = object('startSpan', 'startActiveSpan')
  const isMeter = object('createCounter', 'createHistogram', 'createObservableGauge')
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(others).length === 0 &&
    (tracer === undefined || isTracer(tracer) === undefined) &&
    (meter === undefined || isMeter(meter) === undefined)
  return isRight ? undefined : 'must be an object with a tracer and a meter of OpenTelemetry'
}

const checks: Readonly<Record<keyof AllServerOptions, Check>> = {
  database: (value) =>
    typeof value === 'function' || (typeof value === 'object' && value !== null)
      ? undefined
      : 'must be a Knex instance or configuration',
  readReplica: object(),
  allowOtherSqliteLibraries: flag,
  tablePrefix: (value) =>
    typeof value === 'string' && /^(?!sqlite_)[a-z][a-z0-9_]{0,29}$/.test(value)
      ? undefined
      : 'must be 1 to 30 lower-case letters, digits and underscores, with a letter first, and not begin with sqlite_',
  migrations: oneOf('auto', 'check', 'off'),
  baseUrl: (value) =>
    typeof value === 'function' || isBaseUrl(value)
      ? undefined
      : `must be ${baseUrlForm} (see basePath), or a function`,
  basePath,
  fakeEmailDomain: emailDomain,
  systemBotDomain: emailDomain,
  secret: (value) => (isSecret(value) ? undefined : 'must have 32 characters or more'),
  previousSecrets: listOf(isSecret, 'texts of 32 characters or more'),
  lostSecrets: listOf((item) => typeof item === 'string', 'ids of secrets'),
  identify: call,
  resolveOrganization: call,
  passwordAuthenticators: (value) =>
    Array.isArray(value) && value.every((item) => object('authenticate')(item) === undefined)
      ? undefined
      : 'must be a list of objects with authenticate',
  passwordChangeReplacesApiKey: flag,
  apiKeys: oneOf('on', 'off'),
  ownedByApplication: listOf(
    (item) => oneOf('fullName', 'email', 'avatar', 'role')(item) === undefined,
    "'fullName', 'email', 'avatar' and 'role'",
  ),
  externalIdsForAdministrators: flag,
  passwordHashing: oneOf('scrypt', 'argon2id'),
  passwordPolicy,
  secondFactor: call,
  administrationAddresses: (value) =>
    typeof value === 'function' || (Array.isArray(value) && value.every(isAddressRange))
      ? undefined
      : 'must be a list of IP addresses and networks, such as 10.0.0.0/8, or a function',
  signOn: signOnPage,
  pushRelay: relay,
  mail: object('send'),
  invitations: invitationsOption,
  notificationMails: notificationMailsProblem,
  incomingMail: incomingMailProblem,
  page: object('handle'),
  outgoingWebhooks: requestRules,
  webhooks: webhooksProblem,
  externalContent: requestRules,
  videoCalls: videoCallsProblem,
  trustedOrigins: (value) =>
    typeof value === 'function' || (Array.isArray(value) && value.every(isOrigin))
      ? undefined
      : 'must be a list of origins, such as https://app.example, or a function',
  webPublicChannels: flag,
  gravatar: flag,
  development: flag,
  heartbeatSeconds: number(0.05, 70),
  queueIdleTimeoutSeconds: number(1, 604_800),
  logPollMilliseconds: number(0, 60_000),
  operations: operationsOption,
  rateLimits,
  maxFormBytes: number(1024),
  maxBufferedMebibytes: number(1),
  maxBufferedMebibytesPerAddress: number(1),
  files: (value) =>
    (typeof value === 'string' && value !== '') ||
    object('write', 'read', 'delete')(value) === undefined
      ? undefined
      : 'must be the path of a folder, or an object with write, read and delete',
  maxUploadMebibytes: number(0, 1_048_576),
  uploadQuotaMebibytes: number(0, Infinity),
  userUploadQuotaMebibytes: number(0, Infinity),
  dataExportMaxMessages: number(0, Infinity),
  dataExportKeepDays: number(1, 3650),
  quotas: quotaLimits,
  auditRetentionDays: number(1, Infinity),
  extraEmojiType: oneOf('service_extra_emoji', 'zulip_extra_emoji'),
  clock: object('now', 'setTimeout'),
  logger: object('debug', 'info', 'warn', 'error'),
  texts: textsProblem,
  telemetry,
  bus: object('publishRecords', 'publishEphemeral', 'subscribe', 'close'),
  checkResponses: flag,
}
const checksByName: Readonly<Record<string, Check>> = checks

/**
 * Validates the application's options, which may not be type-checked.
 *
 * @throws {TypeError} naming every invalid or unknown option at once.
 */
export function requireOptions(options: ChatServerOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('createChatServer: the options must be an object with a database')
  }
  const problems: string[] = []
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checksByName, name) ? checksByName[name] : undefined
    if (check === undefined) problems.push(`${name} is not an option`)
    else if (value !== undefined) {
      const problem = check(value)
      if (problem !== undefined) problems.push(`${name} ${problem}`)
    }
  }
  if (options.signOn !== undefined && options.identify === undefined) {
    problems.push('signOn needs identify')
  }
  for (const name of ['mail', 'signOn'] as const) {
    if (options[name] === undefined || options.baseUrl !== undefined) continue
    problems.push(
      `${name} needs baseUrl, the address that links begin with: a URL such as https://chat.example, or a function`,
    )
  }
  if (options.database === undefined) problems.push('database is missing')
  if (problems.length > 0) throw new TypeError(`createChatServer: ${problems.join('; ')}`)
}
