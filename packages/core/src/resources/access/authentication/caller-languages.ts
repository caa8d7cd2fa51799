import { inject } from 'tsyringe'

import { isApplication, isSpectator, type Actor } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import type { LanguageSettings } from '../../../http/ports.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserRepository } from '../../people/users/index.js'

/** Reads the languages that callers and organizations have chosen. */
@perServer()
export class CallerLanguages implements LanguageSettings {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  async ofUser(actor: Actor): Promise<string | undefined> {
    if (isSpectator(actor) || isApplication(actor)) return undefined
    const user = await this.users.find(this.database.read(actor.organizationId), actor.userId)
    return user && parseUserSettings(user.settings).default_language
  }

  async ofOrganization(organizationId: number): Promise<string | undefined> {
    return (await this.organizations.find(organizationId))?.settings.default_language
  }
}
