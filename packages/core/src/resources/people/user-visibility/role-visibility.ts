import { inject } from 'tsyringe'

import type { Actor, Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { UserAccess } from '../user-access/index.js'
import {
  actorOf,
  emailVisibilitiesBetween,
  UserRepository,
  userUpdated,
  type AccountStep,
  type UserRow,
} from '../users/index.js'
import { UserVisibilityEvents } from './user-visibility-events.js'

/**
 * Sends users whose role changed the people and email addresses that they gain or lose access to,
 * so that their clients need not register again.
 */
@perServer()
export class RoleVisibility implements AccountStep {
  constructor(
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserVisibilityEvents) private readonly events: UserVisibilityEvents,
  ) {}

  async roleChanged(tx: Transaction, user: UserRow, oldRole: Role): Promise<void> {
    if (!user.is_active) return
    const [before, after] = [{ ...actorOf(user), role: oldRole }, actorOf(user)]
    // At least one of the two roles is not the guest role and can access all users.
    const knownBefore = await this.access.accessibleTo(tx, before)
    const knownAfter = await this.access.accessibleTo(tx, after)
    const known = knownBefore ?? knownAfter
    if (known !== undefined) await this.#sendPeople(tx, after, known, knownAfter === undefined)
    await this.#sendAddresses(tx, before, after, known)
  }

  async #sendPeople(
    tx: Transaction,
    viewer: Actor,
    known: ReadonlySet<number>,
    isShown: boolean,
  ): Promise<void> {
    const people = (await this.users.listViewable(tx)).filter(({ id }) => !known.has(id))
    if (isShown) await this.events.show(tx, people, viewer, () => [viewer.userId])
    else for (const { id } of people) this.events.hide(tx, id, [viewer.userId])
  }

  /** @param known the users that are accessible before and after; undefined for all users. */
  async #sendAddresses(
    tx: Transaction,
    before: Actor,
    after: Actor,
    known: ReadonlySet<number> | undefined,
  ): Promise<void> {
    const visibilities = emailVisibilitiesBetween(before.role, after.role)
    const isShown = after.role < before.role
    for (const { id, email } of await this.users.listByEmailVisibility(tx, visibilities)) {
      if (id === after.userId || known?.has(id) === false) continue
      const person = { user_id: id, delivery_email: isShown ? email : null }
      tx.emit(userUpdated({ userIds: [after.userId] }, { person }))
    }
  }
}
