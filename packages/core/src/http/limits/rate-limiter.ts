import type { Role } from '../../domain/users/actor.js'
import { ChatError } from '../../errors/index.js'
import type { Clock } from '../../kernel/clock.js'
import type { LimitKey } from '../../kernel/limit-keys.js'
import type { Logger } from '../../kernel/logger.js'
import { whenDone, type MaybePromise } from '../../kernel/maybe-promise.js'
import { isRecord, propertiesOf } from '../../kernel/objects.js'
import {
  GuardedStore,
  ProcessCounts,
  type RateLimitKey,
  type RateLimitOutcome,
  type RateLimitRule,
  type RateLimitStore,
} from './rate-limit-store.js'
import { isRuleList, ruleListForm } from './rule-lists.js'

/**
 * The subject and the key of a limit. Every key belongs to one organization. An address is an IPv4
 * address, or the first 64 bits of an IPv6 address.
 */
export type RateLimitDomain =
  /** Requests with credentials, by user. */
  | 'apiByUser'
  /** Requests without credentials to operations that count them, by client address. */
  | 'apiByAddress'
  /** Calls that may be held (long polls), by user. */
  | 'longPollByUser'
  /** Attempts to sign in with a password, by name, from addresses that are not known for it. */
  | 'loginByUsername'
  /** The same, by client address. */
  | 'loginByAddress'
  /** Attempts to sign in with a password, by user name and client address. */
  | 'loginByUsernameAndAddress'
  /** Requests with a wrong API key, by client address. */
  | 'wrongKeyByAddress'
  /** Changes of one's own e-mail address, by user. */
  | 'emailChangeByUser'
  /** Mails that confirm the address of somebody who signs up, by that address. */
  | 'signUpByEmail'
  /** The same, by client address. */
  | 'signUpByAddress'
  /** Mails with invitations, and new reusable links, by the user who invites. */
  | 'invitationByUser'
  /** Mails with invitations, by the address that they are sent to. */
  | 'invitationByEmail'
  /** Reads of uploaded files without credentials, by file. */
  | 'fileReadByFile'
  /** Requests that fetch content of other hosts, by client address. */
  | 'externalContentByAddress'
  /** Mails to the addresses of a user, by that user. */
  | 'incomingMailByUser'

/** A limit of users and bots, which `limitsOfUser` counts. */
export type UserRateLimitDomain = Extract<RateLimitDomain, `${string}ByUser`>

/** A limit of anything else. */
export type OtherRateLimitDomain = Exclude<RateLimitDomain, UserRateLimitDomain>

/**
 * The rules of each domain; several rules of one domain apply together, and an empty list means no
 * limit.
 */
export type RateLimitRules = Readonly<Record<RateLimitDomain, readonly RateLimitRule[]>>

/** The default rules. */
export const defaultRateLimitRules: RateLimitRules = {
  apiByUser: [{ windowSeconds: 60, maxRequests: 200 }],
  apiByAddress: [{ windowSeconds: 60, maxRequests: 100 }],
  longPollByUser: [{ windowSeconds: 60, maxRequests: 200 }],
  loginByUsername: [
    { windowSeconds: 1800, maxRequests: 30 },
    { windowSeconds: 86_400, maxRequests: 100 },
  ],
  loginByAddress: [
    { windowSeconds: 1800, maxRequests: 30 },
    { windowSeconds: 86_400, maxRequests: 200 },
  ],
  loginByUsernameAndAddress: [{ windowSeconds: 1800, maxRequests: 5 }],
  wrongKeyByAddress: [{ windowSeconds: 60, maxRequests: 60 }],
  emailChangeByUser: [
    { windowSeconds: 3600, maxRequests: 2 },
    { windowSeconds: 86_400, maxRequests: 5 },
  ],
  signUpByEmail: [
    { windowSeconds: 3600, maxRequests: 2 },
    { windowSeconds: 86_400, maxRequests: 5 },
  ],
  signUpByAddress: [
    { windowSeconds: 3600, maxRequests: 20 },
    { windowSeconds: 86_400, maxRequests: 100 },
  ],
  invitationByUser: [{ windowSeconds: 86_400, maxRequests: 50 }],
  invitationByEmail: [
    { windowSeconds: 3600, maxRequests: 2 },
    { windowSeconds: 86_400, maxRequests: 5 },
  ],
  fileReadByFile: [{ windowSeconds: 86_400, maxRequests: 1000 }],
  externalContentByAddress: [{ windowSeconds: 60, maxRequests: 300 }],
  incomingMailByUser: [{ windowSeconds: 60, maxRequests: 60 }],
}

/** A request whose limits the application decides. */
export interface RateLimitedCall {
  /** The id of the operation, such as `send-message`. */
  readonly operation: string
  /** The caller's role; undefined for spectators and other callers without an account. */
  readonly role: Role | undefined
  readonly isBot: boolean
  /** The subdomain of the organization; empty for the only one, and for requests without one. */
  readonly organization: string
}

/** The limits of a request; absent properties stay as usual. */
export interface CallRateLimits {
  /** In place of `apiByUser`, `longPollByUser` or `apiByAddress`. An empty list means no limit. */
  readonly all?: readonly RateLimitRule[]
  /** For the caller's requests of this operation alone, in addition. */
  readonly operation?: readonly RateLimitRule[]
}

/** The option `rateLimits`: the rules of single limits, and how requests are counted. */
export interface RateLimitsOption extends Partial<RateLimitRules> {
  /**
   * Returns the limits of a request, by its operation, role and organization; undefined for the
   * usual ones. Called for every request that is counted by user, or by address, so it must be fast.
   */
  readonly rules?: (call: RateLimitedCall) => CallRateLimits | undefined
  /** Counts for several processes. @default the memory of each process */
  readonly store?: RateLimitStore
}

/** A limit: one of the domains, or that of an operation. */
export type RateLimitName = RateLimitDomain | 'operation'

/** The state of one key after a request was counted, or refused. */
export interface RateLimitState {
  /** Undefined if the request is allowed. */
  readonly retryAfterSeconds: number | undefined
  /** The smallest maximum of the rules. */
  readonly limit: number
  /** The smallest number of requests left. */
  readonly remaining: number
  /** When every rule allows its maximum again, in Unix seconds. */
  readonly fullAtSeconds: number
}

/** Collects the limits that one request was counted against. */
export class RateLimitHeaders {
  #limit: number | undefined
  #remaining = Infinity
  #fullAtSeconds = 0

  add(state: RateLimitState | undefined): void {
    if (state === undefined) return
    this.#limit = Math.min(this.#limit ?? Infinity, state.limit)
    this.#remaining = Math.min(this.#remaining, state.remaining)
    this.#fullAtSeconds = Math.max(this.#fullAtSeconds, state.fullAtSeconds)
  }

  /** `X-RateLimit-*` of the response; undefined if no limit applied. */
  get headers(): Readonly<Record<string, string>> | undefined {
    if (this.#limit === undefined) return undefined
    return {
      'X-RateLimit-Limit': String(this.#limit),
      'X-RateLimit-Remaining': String(this.#remaining),
      'X-RateLimit-Reset': String(this.#fullAtSeconds),
    }
  }
}

/** Counts requests per organization and key. */
export class RateLimiter {
  readonly #clock: Clock
  readonly #store: ProcessCounts | GuardedStore
  readonly #rules: RateLimitRules | undefined
  readonly #rulesOf: RateLimitsOption['rules']

  /** @param option replaces the rules of single domains; `off` disables all limits. */
  constructor(clock: Clock, logger: Logger, option: RateLimitsOption | 'off' = {}) {
    const { store, rules: rulesOf, ...rules } = option === 'off' ? {} : option
    this.#clock = clock
    this.#store =
      store === undefined ? new ProcessCounts(clock) : new GuardedStore(store, clock, logger)
    this.#rules = option === 'off' ? undefined : { ...defaultRateLimitRules, ...rules }
    this.#rulesOf = rulesOf
  }

  /** Whether there are any limits. */
  get isOn(): boolean {
    return this.#rules !== undefined
  }

  async connect(databaseId: string): Promise<void> {
    if (this.#store instanceof GuardedStore) await this.#store.connect(databaseId)
  }

  async close(): Promise<void> {
    if (this.#store instanceof GuardedStore) await this.#store.close()
  }

  /**
   * The limits that the application has set for a request.
   *
   * @throws {TypeError} if they are invalid.
   */
  limitsOf(call: RateLimitedCall): CallRateLimits {
    const limits = this.#rules === undefined ? undefined : this.#rulesOf?.(call)
    if (limits === undefined) return {}
    const { all = [], operation = [] } = propertiesOf(limits)
    if (isRecord(limits) && [all, operation].every(isRuleList)) return limits
    throw new TypeError(`rateLimits.rules must return { all?, operation? }, ${ruleListForm}`)
  }

  /**
   * Counts one request, unless it is refused: refused requests do not prolong the wait. Synchronous
   * if there is no store, because almost every request is counted.
   *
   * @param rules in place of those of the domain.
   * @returns undefined if there is no limit.
   */
  count(
    name: RateLimitName,
    organizationId: number,
    key: LimitKey,
    rules = this.rulesFor(name),
  ): MaybePromise<RateLimitState | undefined> {
    if (this.#rules === undefined || rules.length === 0) return undefined
    return whenDone(this.#store.consume(limitOf(name, organizationId, key, rules)), (outcome) =>
      this.#stateOf(outcome, rules),
    )
  }

  /**
   * Counts one request like {@link count}.
   *
   * @param limitHeaders collects the limits of the request for the headers of its response.
   * @throws {ChatError} `RATE_LIMIT_HIT` if there were too many.
   */
  async require(
    domain: OtherRateLimitDomain,
    organizationId: number,
    key: LimitKey,
    limitHeaders?: RateLimitHeaders,
  ): Promise<void> {
    const state = await this.count(domain, organizationId, key)
    limitHeaders?.add(state)
    requireUnderLimit(state)
  }

  /** Subtracts the request that was counted last, as after a successful login. */
  uncount(
    name: RateLimitName,
    organizationId: number,
    key: LimitKey,
    rules = this.rulesFor(name),
  ): MaybePromise<void> {
    if (this.#rules === undefined || rules.length === 0) return
    return this.#store.refund(limitOf(name, organizationId, key, rules))
  }

  /** Resets the count of a key, as after a successful login. */
  forget(name: RateLimitName, organizationId: number, key: LimitKey): MaybePromise<void> {
    const rules = this.rulesFor(name)
    if (this.#rules === undefined || rules.length === 0) return
    return this.#store.forget(limitOf(name, organizationId, key, rules))
  }

  /** The rules of a domain; those of operations depend on the request. */
  rulesFor(name: RateLimitName): readonly RateLimitRule[] {
    return name === 'operation' ? [] : (this.#rules?.[name] ?? [])
  }

  #stateOf(outcome: RateLimitOutcome, rules: readonly RateLimitRule[]): RateLimitState {
    const { retryAfterMilliseconds = 0, remaining, fullAfterMilliseconds } = outcome
    return {
      retryAfterSeconds: retryAfterMilliseconds > 0 ? retryAfterMilliseconds / 1000 : undefined,
      limit: Math.min(...rules.map(({ maxRequests }) => maxRequests)),
      remaining: Math.max(0, Math.floor(remaining)),
      fullAtSeconds: Math.ceil((this.#clock.now() + fullAfterMilliseconds) / 1000),
    }
  }
}

function limitOf(
  name: RateLimitName,
  organizationId: number,
  key: LimitKey,
  rules: readonly RateLimitRule[],
): RateLimitKey {
  // Clients poll in a tight loop; one that exceeds the limit is slowed down, not locked out.
  return { key: `${name}/${organizationId}/${key}`, rules, isPaced: name === 'longPollByUser' }
}

/** @throws {ChatError} `RATE_LIMIT_HIT` if `state` is that of a refused request. */
export function requireUnderLimit(state: RateLimitState | undefined): void {
  if (state?.retryAfterSeconds === undefined) return
  throw new ChatError('RATE_LIMIT_HIT', { fields: { 'retry-after': state.retryAfterSeconds } })
}
