import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { hasRole, Role } from '../../../domain/users/actor.js'
import type { CallOrigin } from '../../../domain/users/call-origin.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { noOrganization, type Organization } from '../../../http/ports.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserRepository } from '../../people/users/index.js'
import { AuthenticationMethods } from './authentication-methods.js'
import { PasswordLogin, type ApiCredentials } from './password-login.js'
import { SignInAudit } from './sign-in-audit.js'

/** An account that a developer can log in to. */
export interface DevelopmentAccount {
  readonly email: string
  readonly realm_url: string
  readonly realm_uri: string
}

/** Logs developers in without a password, if the application has enabled this. */
@perServer()
export class DevelopmentLogin {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(AuthenticationMethods) private readonly methods: AuthenticationMethods,
    @inject(SignInAudit) private readonly signIns: SignInAudit,
    @inject(PasswordLogin) private readonly passwordLogin: PasswordLogin,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` outside development or if the name is not an e-mail address,
   *   `NONEXISTENT_SUBDOMAIN`, `REALM_DEACTIVATED`, `USER_DEACTIVATED`, or `AUTHENTICATION_FAILED`
   *   if there is no such user.
   */
  async logIn(
    organization: Organization,
    username: string,
    origin: CallOrigin,
  ): Promise<ApiCredentials> {
    this.#requireDevelopment()
    if (!isEmailAddress(username.trim())) throw badRequest('EMAIL_ADDRESS_INVALID')
    if (organization === noOrganization) throw new ChatError('NONEXISTENT_SUBDOMAIN')
    await this.#requireAllowed(organization)
    if (organization.isDeactivated) throw new ChatError('REALM_DEACTIVATED')
    const scope = this.database.read(organization.id)
    const user = await this.users.findByEmailKey(scope, foldCase(username.trim()))
    if (user === undefined || user.is_bot) throw new ChatError('AUTHENTICATION_FAILED')
    if (!user.is_active) throw new ChatError('USER_DEACTIVATED')
    await this.signIns.note(user, origin)
    return this.passwordLogin.credentialsOf(user)
  }

  /** @throws {ChatError} `BAD_REQUEST` outside development, or `NONEXISTENT_SUBDOMAIN`. */
  async listUsers(
    organization: Organization,
    chatUrl: string,
  ): Promise<{ direct_admins: DevelopmentAccount[]; direct_users: DevelopmentAccount[] }> {
    this.#requireDevelopment()
    if (organization === noOrganization) throw new ChatError('NONEXISTENT_SUBDOMAIN')
    await this.#requireAllowed(organization)
    const rows = await this.users.listActiveHumans(this.database.read(organization.id))
    const accounts = (isAdministrator: boolean) =>
      rows
        .filter((row) => hasRole(row, Role.administrator) === isAdministrator)
        .map(({ email }) => ({ email, realm_url: chatUrl, realm_uri: chatUrl }))
    return { direct_admins: accounts(true), direct_users: accounts(false) }
  }

  async #requireAllowed({ id }: Organization): Promise<void> {
    const { settings } = await this.organizations.require(id)
    if (!this.methods.allows(settings, 'Dev')) throw badRequest('DEVELOPMENT_LOGIN_DISABLED')
  }

  #requireDevelopment(): void {
    if (!this.facts.development) throw badRequest('DEVELOPMENT_ONLY')
  }
}
