import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../domain/actor.js'
import { isEmailAddress } from '../../domain/email-address.js'
import { normalizeFullName } from '../../domain/full-name.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import {
  AccountChanges,
  ProfileValuesToken,
  UserLookup,
  UserRepository,
  type ProfileValueChange,
  type ProfileValues,
  type UserRow,
} from '../users/index.js'
import { FreeAddresses } from './free-addresses.js'
import { UniqueNames } from './unique-names.js'

/** What is to change of somebody; what is absent stays. */
export interface UserUpdate {
  readonly fullName?: string | undefined
  readonly role?: Role | undefined
  readonly profileData?: readonly ProfileValueChange[] | undefined
  readonly newEmail?: string | undefined
}

/** Lets administrators change others' accounts, and owners of bots their bots'. */
@perServer()
export class UserAdministration {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserLookup) private readonly lookup: UserLookup,
    @inject(AccountChanges) private readonly changes: AccountChanges,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(FreeAddresses) private readonly addresses: FreeAddresses,
    @inject(ProfileValuesToken) private readonly profileValues: () => ProfileValues,
  ) {}

  /**
   * Makes all the changes, or none.
   *
   * @param target an id, or an address that `actor` may see.
   * @throws {ChatError} `BAD_REQUEST` if there is no such user, or `actor` or a value is not
   *   allowed; `UNAUTHORIZED_PRINCIPAL` if the change of role takes a stronger role.
   */
  async update(actor: Actor, target: number | string, update: UserUpdate): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const id =
        typeof target === 'number' ? target : (await this.lookup.findByEmail(tx, actor, target))?.id
      const user = id === undefined ? undefined : await this.users.lock(tx, id)
      if (user === undefined) throw badRequest('No such user')
      requireManager(actor, user)
      await this.#update(tx, actor, user, update)
    })
  }

  async #update(tx: Transaction, actor: Actor, user: UserRow, update: UserUpdate): Promise<void> {
    const { role, newEmail, profileData } = update
    if (newEmail !== undefined && !(actor.canChangeUserEmails && actor.role === Role.owner)) {
      throw badRequest('User not authorized to change user emails')
    }
    if (role !== undefined) await this.changeRole(tx, actor, user, role)
    const fullName = update.fullName ?? ''
    if (fullName.trim() !== '' && fullName.trim() !== user.full_name) {
      const name = normalizeFullName(fullName)
      await this.names.require(tx, name, user.id)
      await this.changes.rename(tx, user, name)
    }
    if (profileData !== undefined) {
      await this.profileValues().change(tx, actor, user, profileData)
    }
    if (newEmail !== undefined && newEmail.trim() !== user.email) {
      await this.#requireFreeAddress(tx, user, newEmail.trim())
      await this.changes.changeEmail(tx, user, newEmail.trim())
    }
  }

  /**
   * Gives a user or bot another role, unless they have it.
   *
   * @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` if that takes a stronger role than `actor` has,
   *   `BAD_REQUEST` if nobody would be owner, or a guest would be administrator.
   */
  async changeRole(tx: Transaction, actor: Actor, user: UserRow, role: Role): Promise<void> {
    if (role === user.role) return
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
    if (!hasRole(actor, Role.administrator)) {
      throw new ChatError('UNAUTHORIZED_PRINCIPAL', {
        message: 'Must be an organization administrator',
      })
    }
    if (await this.isOnlyOwner(tx, user)) {
      throw badRequest('The owner permission cannot be removed from the only organization owner.')
    }
    if (user.role === Role.guest && role <= Role.administrator) {
      throw badRequest('Guests cannot be organization administrators')
    }
  }

  /** Whether the organization would have no active human owner without the user. */
  async isOnlyOwner(tx: Transaction, user: UserRow): Promise<boolean> {
    return this.users.isOnlyOwner(tx, user)
  }

  async #requireFreeAddress(tx: Transaction, user: UserRow, email: string): Promise<void> {
    if (!isEmailAddress(email)) throw badRequest('Invalid new email address.')
    const problem = await this.addresses.problemOf(tx, email, user.id)
    if (problem !== undefined) throw badRequest(`New email value error: ${problem}`)
  }
}

/** @throws {ChatError} `BAD_REQUEST` unless `actor` is an administrator or the bot's owner. */
export function requireManager(actor: Actor, user: UserRow): void {
  if (hasRole(actor, Role.administrator)) return
  if (user.is_bot && user.bot_owner_id === actor.userId) return
  throw badRequest('Insufficient permission')
}

/** @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` unless `actor` is an owner. */
export function requireOwner(actor: Actor): void {
  if (actor.role === Role.owner) return
  throw new ChatError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
}
