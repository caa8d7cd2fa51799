import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'
import { OrganizationService } from '../organizations/index.js'

/** Describes the server and the organization to clients that have not logged in. */
@perServer()
export class ServerSettingsService {
  constructor(
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** @param organizationId 0 where the address names none. */
  async describe(organizationId: number, origin: string): Promise<Record<string, unknown>> {
    const organization =
      organizationId === 0 ? undefined : await this.organizations.find(organizationId)
    const hasPasswords = organization?.settings.password_auth_enabled ?? true
    const server = {
      authentication_methods: {
        password: hasPasswords,
        dev: this.facts.development,
        email: hasPasswords,
        ldap: false,
        remoteuser: false,
        github: false,
        azuread: false,
        gitlab: false,
        apple: false,
        google: false,
        saml: false,
        'openid connect': false,
      },
      external_authentication_methods: [],
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: hasPasswords,
      require_email_format_usernames: true,
      realm_url: this.facts.baseUrl ?? origin,
      realm_uri: this.facts.baseUrl ?? origin,
    }
    if (organization === undefined) return server
    return {
      ...server,
      realm_name: organization.name,
      realm_icon: `${this.facts.baseUrl ?? origin}/api/v1/static/realm-icon.png`,
      realm_description: organization.settings.description,
      realm_web_public_access_enabled: organization.settings.enable_spectator_access,
    }
  }
}
