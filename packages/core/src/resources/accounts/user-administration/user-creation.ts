import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { isEmailAddress } from '../../../domain/email-address.js'
import { normalizeFullName } from '../../../domain/full-name.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../../storage/index.js'
import {
  hashingClientOf,
  PasswordHasher,
  PasswordStrength,
} from '../../people/credentials/index.js'
import { EmailDomains } from '../../organization/domains/index.js'
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
    if (!actor.canCreateUsers) throw badRequest('User not authorized to create users')
    const scope = this.database.read(actor.organizationId)
    const fullName = normalizeFullName(newUser.fullName)
    await this.names.require(scope, fullName, 0)
    const email = newUser.email.trim()
    if (!isEmailAddress(email)) throw badRequest('Bad name or username')
    await this.#requireAllowedAddress(scope, email)
    await this.#requireFree(scope, email)
    if (
      !(await this.strength.isEnough(newUser.password, [
        email,
        email.slice(0, email.lastIndexOf('@')),
        fullName,
      ]))
    ) {
      throw badRequest('The password is too weak.')
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
    throw badRequest('Email is already in use.')
  }

  async #requireAllowedAddress(scope: OrganizationScope, email: string): Promise<void> {
    switch (await this.domains.problemOf(scope, email)) {
      case 'foreign':
        throw badRequest(`Email '${email}' not allowed in this organization`)
      case 'disposable':
        throw badRequest('Disposable email addresses are not allowed in this organization')
      case 'tagged':
        throw badRequest('Email addresses containing + are not allowed.')
      case undefined:
    }
  }
}
