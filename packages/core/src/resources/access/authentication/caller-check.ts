import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { isApplication, isSpectator, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { Changes, changing } from '../../../events/record-kind.js'
import { entryLimit } from '../../../kernel/entry-limit.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  organizationChanged,
  OrganizationService,
  realmDeactivated,
} from '../../organization/organizations/index.js'
import {
  actorOf,
  accountChanged,
  userUpdated,
  UserDirectory,
  UserRepository,
} from '../../people/users/index.js'
import { sessionsEnded } from '../../realtime/event-queues/index.js'
import { accessTokens } from './access-tokens-table.js'

/** A user who is not remembered is read again. */
const maxRemembered = 20_000

/**
 * Checks in a transaction that the caller still has the permissions that were read before it began.
 * An account is read again only if it has changed since.
 */
@perServer()
export class CallerCheck {
  /** Actors that match the current state of their accounts, by organization and user. */
  readonly #current = new LRUCache<string, WeakSet<Actor>>(entryLimit(maxRemembered))
  /** Part of the keys of an organization: a new one forgets all of its actors. */
  readonly #generations = new Map<number, number>()
  #version = 0

  constructor(
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(UserRepository) private readonly stored: UserRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
  ) {
    logs.onChanges(accountChanges, (organizationId, ids) => {
      this.#version += 1
      if (ids === 'all') this.#generations.set(organizationId, this.#version)
      else for (const userId of ids) this.#current.delete(this.#keyOf({ organizationId, userId }))
    })
  }

  /** Changes whenever an account changes. */
  get version(): number {
    return this.#version
  }

  /**
   * Marks `actor` as current, so that {@link require} does not read its account again.
   *
   * @param version the value of {@link version} before the account was read; the organization's log
   *   must have been watched by then.
   * @returns false if an account has changed since.
   */
  note(actor: Actor, version: number): boolean {
    if (version !== this.#version) return false
    const key = this.#keyOf(actor)
    let current = this.#current.get(key)
    if (current === undefined) {
      current = new WeakSet()
      this.#current.set(key, current)
    }
    current.add(actor)
    return true
  }

  /**
   * Must be called before anything else is read for the caller; in a transaction, at its beginning.
   *
   * @param options.isBehind whether other processes may have changed the account without this one
   *   knowing of it yet, as in a transaction without the organization's lock: it is read in any case.
   * @throws {ChatError} `CALLER_DEACTIVATED` or `CALLER_REALM_DEACTIVATED` if the account or the
   *   organization was deactivated; `INVALID_API_KEY` if the account now has another API key than
   *   the one that identified the caller; `UNAUTHORIZED` if its token was revoked; `BAD_REQUEST` if it now has fewer permissions than `actor`.
   */
  async require(
    scope: OrganizationScope,
    actor: Actor,
    { isBehind = false }: { readonly isBehind?: boolean } = {},
  ): Promise<void> {
    if (isSpectator(actor)) return
    const shared = actor.shared ?? actor
    if (!isBehind && this.#current.get(this.#keyOf(actor))?.has(shared) === true) return
    await this.logs.watch(actor.organizationId)
    const version = this.#version
    const organization = await this.organizations.require(actor.organizationId)
    if (organization.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    if (isApplication(actor)) return
    const { users, stored } = this
    const user = await (isBehind ? stored : users).find(scope, actor.userId)
    if (user === undefined || !user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    if ((shared.apiKeyHash ?? user.api_key_hash) !== user.api_key_hash) {
      throw new ChatError('INVALID_API_KEY')
    }
    await requireToken(scope, shared)
    if (mayDoLess(actorOf(user), actor)) throw badRequest('INSUFFICIENT_PERMISSION')
    this.note(shared, version)
  }

  #keyOf({ organizationId, userId }: Pick<Actor, 'organizationId' | 'userId'>): string {
    return `${organizationId}/${this.#generations.get(organizationId) ?? 0}/${userId}`
  }
}

/** Changes of the permissions of accounts, with those of whom; or of all of an organization. */
export const accountChanges = new Changes([
  organizationChanged,
  realmDeactivated,
  changing(accountChanged, ({ userId }) => [userId]),
  changing(sessionsEnded, ({ userId }) => [userId]),
  changing(userUpdated, ({ person }) => [person.user_id]),
])

/** @throws {ChatError} `UNAUTHORIZED` if the caller's access token has been revoked. */
async function requireToken(scope: OrganizationScope, { accessTokenHash }: Actor): Promise<void> {
  if (accessTokenHash === undefined) return
  if (await scope.rows(accessTokens).has({ token_hash: accessTokenHash })) return
  throw new ChatError('UNAUTHORIZED')
}

function mayDoLess(now: Actor, before: Actor): boolean {
  return (
    now.role > before.role ||
    now.botOwnerId !== before.botOwnerId ||
    (before.canCreateUsers && !now.canCreateUsers) ||
    (before.canChangeUserEmails && !now.canChangeUserEmails)
  )
}
