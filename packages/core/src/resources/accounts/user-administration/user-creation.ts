import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../../storage/index.js'
import { EmailDomains } from '../../organization/domains/index.js'
import {
  hashingClientOf,
  PasswordHasher,
  PasswordStrength,
} from '../../people/credentials/index.js'
import { UserService } from '../../people/users/index.js'
import { FreeAddresses } from './free-addresses.js'
import { UniqueNames } from './unique-names.js'

/** Creates users on behalf of administrators whom the operator has given the permission. */
@perServer()
export class UserCreation {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(EmailDomains) private readonly domains: EmailDomains,
    @inject(FreeAddresses) private readonly addresses: FreeAddresses,
    @inject(UserService) private readonly service: UserService,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(PasswordStrength) private readonly strength: PasswordStrength,
  ) {}

  /**
   * Creates a member who can authenticate with a password, and sends events.
   *
   * @returns the new user's id.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not create users, or a value is invalid or in
   *   use.
   */
  async create(
    actor: Actor,
    newUser: { readonly email: string; readonly password: string; readonly fullName: string },
  ): Promise<number> {
    if (!actor.canCreateUsers) throw badRequest('USER_CREATION_NOT_ALLOWED')
    const scope = this.database.read(actor.organizationId)
    const fullName = normalizeFullName(newUser.fullName)
    await this.names.require(scope, fullName, 0)
    const email = newUser.email.trim()
    if (!isEmailAddress(email)) throw badRequest('BOT_NAME_INVALID')
    await this.#requireAllowedAddress(scope, email)
    await this.#requireFree(scope, email)
    if (
      !(await this.strength.isEnough(newUser.password, [
        email,
        email.slice(0, email.lastIndexOf('@')),
        fullName,
      ]))
    ) {
      throw badRequest('SIGN_UP_PASSWORD_TOO_WEAK')
    }
    const passwordHash = await this.passwords.hash(newUser.password, hashingClientOf(actor))
    return this.unitOfWork.runFor(actor, async (tx) => {
      // Another request may have used the name or the address while the password was hashed.
      await this.names.require(tx, fullName, 0)
      await this.#requireFree(tx, email)
      const { id } = await this.service.createWithin(tx, { email, fullName, passwordHash })
      return id
    })
  }

  async #requireFree(scope: OrganizationScope, email: string): Promise<void> {
    if ((await this.addresses.problemOf(scope, email, 0)) === undefined) return
    throw badRequest('EMAIL_ADDRESS_TAKEN')
  }

  async #requireAllowedAddress(scope: OrganizationScope, email: string): Promise<void> {
    switch (await this.domains.problemOf(scope, email)) {
      case 'foreign':
        throw badRequest('EMAIL_ADDRESS_NOT_ALLOWED', { email })
      case 'disposable':
        throw badRequest('EMAIL_ADDRESSES_DISPOSABLE_NOT_ALLOWED')
      case 'tagged':
        throw badRequest('EMAIL_ADDRESS_WITH_PLUS')
      case undefined:
    }
  }
}
