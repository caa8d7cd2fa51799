import { inject } from 'tsyringe'

import { isApplication, Role, type Actor } from '../../../domain/users/actor.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import {
  AccountChanges,
  isOwnedByApplication,
  ProfileValuesToken,
  UserLookup,
  UserRepository,
  type ProfileValueChange,
  type ProfileValues,
  type UserRow,
} from '../../people/users/index.js'
import { AccountRights, requireAdministrator, requireOwner } from './account-rights.js'
import { FreeAddresses } from './free-addresses.js'
import { UniqueNames } from './unique-names.js'

/** Changes of a user; absent properties stay. */
export interface UserUpdate {
  readonly fullName?: string | undefined
  readonly role?: Role | undefined
  readonly profileData?: readonly ProfileValueChange[] | undefined
  readonly newEmail?: string | undefined
}

/** Changes accounts on behalf of administrators, and bots on behalf of their owners. */
@perServer()
export class UserAdministration {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AccountRights) private readonly rights: AccountRights,
    @inject(UserLookup) private readonly lookup: UserLookup,
    @inject(AccountChanges) private readonly changes: AccountChanges,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(FreeAddresses) private readonly addresses: FreeAddresses,
    @inject(ProfileValuesToken) private readonly profileValues: ProfileValues,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Applies all changes in one transaction.
   *
   * @param target an id, or an email address that `actor` may see.
   * @throws {ChatError} `BAD_REQUEST` if there is no such user, or a change is invalid or not
   *   allowed; `UNAUTHORIZED_PRINCIPAL` if the change of role requires a stronger role.
   */
  async update(actor: Actor, target: number | string, update: UserUpdate): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const id =
        typeof target === 'number' ? target : (await this.lookup.findByEmail(tx, actor, target))?.id
      const found = id === undefined ? undefined : await this.users.lock(tx, id)
      const user = await this.access.requireAccess(tx, actor, found)
      await this.rights.requireManager(tx, actor, user)
      await this.#update(tx, actor, user, update)
    })
  }

  async #update(tx: Transaction, actor: Actor, user: UserRow, update: UserUpdate): Promise<void> {
    const { role, newEmail, profileData } = update
    if (newEmail !== undefined && !(actor.canChangeUserEmails && actor.role === Role.owner)) {
      throw badRequest('USER_EMAIL_CHANGE_NOT_ALLOWED')
    }
    if (role !== undefined) await this.changeRole(tx, actor, user, role)
    const fullName = update.fullName ?? ''
    if (fullName.trim() !== '' && fullName.trim() !== user.full_name) {
      const name = normalizeFullName(fullName)
      await this.names.require(tx, name, user.id)
      await this.changes.rename(tx, user, name)
    }
    if (profileData !== undefined) {
      await this.profileValues.change(tx, actor, user, profileData)
    }
    if (newEmail !== undefined && newEmail.trim() !== user.email) {
      await this.#requireFreeAddress(tx, user, newEmail.trim())
      await this.changes.changeEmail(tx, user, newEmail.trim())
    }
  }

  /**
   * Changes the role of a user or bot, unless they already have it.
   *
   * @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` if that requires a stronger role than `actor` has,
   *   `BAD_REQUEST` if the organization would have no owner, a guest would become administrator, or
   *   the application decides the role.
   */
  async changeRole(tx: Transaction, actor: Actor, user: UserRow, role: Role): Promise<void> {
    if (role === user.role) return
    if (isOwnedByApplication(user, 'role', this.facts) && !isApplication(actor)) {
      throw badRequest('ROLE_MANAGED_BY_LOGIN')
    }
    await this.#requireRoleChange(tx, actor, user, role)
    await this.changes.changeRole(tx, user, role)
  }

  async #requireRoleChange(
    tx: Transaction,
    actor: Actor,
    user: UserRow,
    role: Role,
  ): Promise<void> {
    if (role === Role.owner || user.role === Role.owner) requireOwner(actor)
    requireAdministrator(actor)
    if (await this.isOnlyOwner(tx, user)) {
      throw badRequest('ONLY_OWNER_NOT_DEMOTED')
    }
    if (user.role === Role.guest && role <= Role.administrator) {
      throw badRequest('GUEST_NOT_ADMINISTRATOR')
    }
  }

  /** Whether the user is the organization's only active human owner. */
  async isOnlyOwner(tx: Transaction, user: UserRow): Promise<boolean> {
    return this.users.isOnlyOwner(tx, user)
  }

  async #requireFreeAddress(tx: Transaction, user: UserRow, email: string): Promise<void> {
    if (!isEmailAddress(email)) throw badRequest('NEW_EMAIL_ADDRESS_INVALID')
    const problem = await this.addresses.problemOf(tx, email, user.id)
    if (problem !== undefined) throw badRequest('NEW_EMAIL_ADDRESS_PROBLEM', { problem })
  }
}
