import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { isDisposableDomain } from '../../domain/disposable-domains.js'
import { isEmailAddress } from '../../domain/email-address.js'
import { foldCase } from '../../domain/folding.js'
import { normalizeFullName } from '../../domain/full-name.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { Database, UnitOfWork } from '../../storage/index.js'
import { PasswordHasher, PasswordStrength } from '../credentials/index.js'
import { OrganizationService } from '../organizations/index.js'
import { UserRepository, UserService } from '../users/index.js'
import { UniqueNames } from './unique-names.js'

/** Lets those create users whom the operator has allowed to. */
@perServer()
export class UserCreation {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserService) private readonly service: UserService,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(PasswordStrength) private readonly strength: PasswordStrength,
  ) {}

  /**
   * Creates a member who can log in with a password, and tells everyone.
   *
   * @returns the new user's id.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not, or a value is wrong or taken.
   */
  async create(
    actor: Actor,
    given: { readonly email: string; readonly password: string; readonly fullName: string },
  ): Promise<number> {
    if (!actor.canCreateUsers) throw badRequest('User not authorized to create users')
    const scope = this.database.read(actor.organizationId)
    const fullName = normalizeFullName(given.fullName)
    await this.names.require(scope, fullName, 0)
    const email = given.email.trim()
    if (!isEmailAddress(email)) throw badRequest('Bad name or username')
    await this.#requireAllowedAddress(actor, email)
    const owner = await this.users.findByEmailKey(scope, foldCase(email))
    if (owner !== undefined) throw emailInUse()
    if (
      !(await this.strength.isEnough(given.password, [
        email,
        email.slice(0, email.lastIndexOf('@')),
        fullName,
      ]))
    ) {
      throw badRequest('The password is too weak.')
    }
    const passwordHash = await this.passwords.hash(given.password)
    try {
      const { id } = await this.unitOfWork.run(actor.organizationId, (tx) =>
        this.service.createWithin(tx, { email, fullName, passwordHash }),
      )
      return id
    } catch (error) {
      // Somebody took the address while the password was hashed.
      if (scope.dialect.isUniqueViolation(error)) throw emailInUse()
      throw error
    }
  }

  async #requireAllowedAddress(actor: Actor, email: string): Promise<void> {
    const { settings } = await this.organizations.require(actor.organizationId)
    const at = email.lastIndexOf('@')
    if (settings.disallow_disposable_email_addresses && isDisposableDomain(email.slice(at + 1))) {
      throw badRequest('Disposable email addresses are not allowed in this organization')
    }
    if (settings.emails_restricted_to_domains && email.slice(0, at).includes('+')) {
      throw badRequest('Email addresses containing + are not allowed.')
    }
  }
}

function emailInUse(): Error {
  return badRequest('Email is already in use.')
}
