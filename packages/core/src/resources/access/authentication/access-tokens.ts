import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { badRequest } from '../../../errors/index.js'
import { bearerOf } from '../../../http/pipeline/bearer.js'
import type { HostIdentity } from '../../../http/pipeline/host-identity.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomAlphanumeric } from '../../../kernel/random.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  Database,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import {
  ExternalAccounts,
  ExternalReferences,
  isIdentity,
  requireIdentity,
  UserRepository,
  type AccountReference,
  type OrganizationReference,
  type UserRow,
  accountChanged,
} from '../../people/users/index.js'
import { accessTokens } from './access-tokens-table.js'

const call = 'chat.users.createToken'
const defaultLifetimeSeconds = 3600
const maxLifetimeSeconds = 30 * 24 * 3600
/** The oldest tokens of a user are deleted for others. */
const maxTokensPerUser = 100
/** The end of the lifetime is a part of the token, in base 36. */
const tokenPattern = /^parley_([0-9a-z]{1,10})_[A-Za-z0-9]{43}$/

/** The organization of the user who gets a token, and how long the token is valid. */
export interface CreateTokenOptions extends OrganizationReference {
  /** 1 second to 30 days. @default 3600 */
  readonly expiresInSeconds?: number
}

/** A token for `Authorization: Bearer`. */
export interface AccessToken {
  readonly token: string
  /** When it becomes invalid, in UNIX seconds. */
  readonly expiresAtSeconds: number
}

/** Tokens that the application gives its clients, in place of a session that reaches the chat. */
@perServer()
export class AccessTokens {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(ExternalAccounts) private readonly externals: ExternalAccounts,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(Database) private readonly database: Database,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization or user, or the user is
   *   deactivated.
   * @throws {TypeError} if the reference or the lifetime is invalid.
   */
  async create(
    user: AccountReference | HostIdentity,
    options: CreateTokenOptions = {},
  ): Promise<AccessToken> {
    const { expiresInSeconds = defaultLifetimeSeconds } = options
    if (!(expiresInSeconds >= 1 && expiresInSeconds <= maxLifetimeSeconds)) {
      throw new TypeError(`${call}: expiresInSeconds must be between 1 and ${maxLifetimeSeconds}`)
    }
    const { organizationId, key } = await this.#resolve(user, options)
    const now = nowSeconds(this.clock)
    const expiresAtSeconds = now + Math.floor(expiresInSeconds)
    const token = `parley_${expiresAtSeconds.toString(36)}_${randomAlphanumeric(43)}`
    await this.unitOfWork.run(organizationId, async (tx) => {
      const account = await this.references.find(tx, key)
      if (account === undefined) throw badRequest('USER_UNKNOWN')
      if (!account.is_active) throw badRequest('USER_INACTIVE')
      await this.#makeRoom(tx, account.id, now)
      await tx.rows(accessTokens).insert({
        token_hash: hashOf(token),
        user_id: account.id,
        expires_at_seconds: expiresAtSeconds,
      })
    })
    return { token, expiresAtSeconds }
  }

  /** The user of a token; undefined if the token is invalid. */
  async find(scope: OrganizationScope, tokenHash: string): Promise<UserRow | undefined> {
    const row = await scope.rows(accessTokens).find({ token_hash: tokenHash })
    return row === undefined ? undefined : this.users.find(scope, row.user_id)
  }

  /** Deletes the expired tokens of a user, and the oldest ones if there are too many. */
  async #makeRoom(tx: Transaction, userId: number, now: number): Promise<void> {
    const rows = await tx.rows(accessTokens).list({ user_id: userId }, 'id')
    const current = rows.filter((row) => row.expires_at_seconds > now)
    const surplus = current.slice(0, Math.max(0, current.length - maxTokensPerUser + 1))
    const kept = new Set(current.slice(surplus.length))
    const ended = rows.filter((row) => !kept.has(row))
    await tx.rows(accessTokens).delete({ token_hash: ended.map((row) => row.token_hash) })
    // Every process forgets the callers that it knows by these tokens.
    if (surplus.length > 0) tx.emit(accountChanged({ userId }))
  }

  /** The account of an identity is made, or updated, as by a request that `identify` recognizes. */
  async #resolve(
    user: AccountReference | HostIdentity,
    options: CreateTokenOptions,
  ): ReturnType<ExternalReferences['resolve']> {
    if (!isIdentity(user)) return this.references.resolve(call, user, options)
    const identity = requireIdentity(user, call)
    const organizationId = await this.references.organizationId({ ...user, ...options })
    await this.externals.ensure(this.database.read(organizationId), identity)
    return { organizationId, key: { externalId: identity.externalId } }
  }
}

/**
 * The hash of an access token in an `Authorization` header; undefined if there is none that may still
 * be valid.
 */
export function accessTokenHashOf(authorization: string, clock: Clock): string | undefined {
  const token = bearerOf(authorization) ?? ''
  const expiresAtSeconds = Number.parseInt(tokenPattern.exec(token)?.[1] ?? '0', 36)
  return expiresAtSeconds > nowSeconds(clock) ? hashOf(token) : undefined
}

/** Whether an `Authorization` header has an access token of the chat, valid or not. */
export function hasAccessToken(authorization: string): boolean {
  return tokenPattern.test(bearerOf(authorization) ?? '')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
