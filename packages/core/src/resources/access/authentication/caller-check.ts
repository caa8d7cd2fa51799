import { inject } from 'tsyringe'

import { isApplication, isSpectator, type Actor } from '../../../domain/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { FollowedLogs } from '../../../events/followed-logs.js'
import { observationEnded } from '../../../events/log-observer.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { sessionsEnded } from '../../realtime/event-queues/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { actorOf, UserRepository } from '../../people/users/index.js'

/**
 * Checks in a transaction that the caller still has the permissions that were read before it began.
 * An account is read again only if an account of the organization has changed since.
 */
@perServer()
export class CallerCheck {
  /** Actors that match the current state of their accounts, by organization id. */
  readonly #current = new Map<number, WeakSet<Actor>>()
  #version = 0

  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
  ) {
    logs.observe((organizationId, kind) => {
      if (!changesAccounts(kind)) return
      this.#version += 1
      this.#current.delete(organizationId)
    }, changesAccounts)
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
   */
  note(actor: Actor, version: number): void {
    if (version !== this.#version) return
    let current = this.#current.get(actor.organizationId)
    if (current === undefined) {
      current = new WeakSet()
      this.#current.set(actor.organizationId, current)
    }
    current.add(actor)
  }

  /**
   * Must be called at the beginning of a transaction, before anything is read.
   *
   * @throws {ChatError} `CALLER_DEACTIVATED` or `CALLER_REALM_DEACTIVATED` if the account or the
   *   organization was deactivated; `BAD_REQUEST` if the account now has fewer permissions than
   *   `actor`.
   */
  async require(tx: Transaction, actor: Actor): Promise<void> {
    if (isSpectator(actor)) return
    if (this.#current.get(actor.organizationId)?.has(actor) === true) return
    await this.logs.watch(actor.organizationId)
    const version = this.#version
    const organization = await this.organizations.require(actor.organizationId)
    if (organization.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    if (isApplication(actor)) return
    const user = await this.users.find(tx, actor.userId)
    if (user === undefined || !user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    if (mayDoLess(actorOf(user), actor)) throw badRequest('Insufficient permission')
    this.note(actor, version)
  }
}

/** Whether an event of this kind may change the permissions of an account. */
export function changesAccounts(kind: string): boolean {
  return (
    kind === '@user' ||
    kind === sessionsEnded ||
    kind === '@organization' ||
    kind === observationEnded ||
    kind === 'realm_user/update' ||
    kind === 'realm/deactivated'
  )
}

function mayDoLess(now: Actor, before: Actor): boolean {
  return (
    now.role > before.role ||
    now.botOwnerId !== before.botOwnerId ||
    (before.canCreateUsers && !now.canCreateUsers) ||
    (before.canChangeUserEmails && !now.canChangeUserEmails)
  )
}
