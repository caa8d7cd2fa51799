import { inject } from 'tsyringe'

import { organizationIconUrl } from '../../../domain/files/organization-images.js'
import { defaultOrganizationSettings } from '../../../domain/organizations/organization-settings.js'
import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { spectatorOf } from '../../../domain/users/actor.js'
import { fromKeys } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database } from '../../../storage/index.js'
import { AuthenticationMethods } from '../../access/authentication/index.js'
import {
  externalMethods,
  SignOnToken,
  type ExternalAuthenticationMethod,
  type SignOn,
} from '../../access/single-sign-on/index.js'
import { Spectators } from '../../access/spectators/index.js'
import { MessageRenderer } from '../../content/rendering/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'

/** The server's part of the response. */
interface ServerDescription {
  authentication_methods: Record<'password' | 'dev' | 'email' | 'ldap', boolean> &
    Record<(typeof neverOffered)[number], false>
  external_authentication_methods: ExternalAuthenticationMethod[]
  push_notifications_enabled: boolean
  email_auth_enabled: boolean
  require_email_format_usernames: boolean
  realm_url: string
  realm_uri: string
}

/** The organization's part of the response. */
interface OrganizationDescription {
  realm_name: string
  realm_icon: string
  realm_description: string
  realm_web_public_access_enabled: boolean
}

/** Authentication methods that are always off; clients expect every method to be listed. */
export const neverOffered = [
  'remoteuser',
  'github',
  'azuread',
  'gitlab',
  'apple',
  'google',
  'saml',
  'openid connect',
] as const

/** Describes the server and the organization to unauthenticated clients. */
@perServer()
export class ServerSettingsService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(AuthenticationMethods) private readonly methods: AuthenticationMethods,
    @inject(Spectators) private readonly spectators: Spectators,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(SignOnToken) private readonly signOn: { readonly signOn: SignOn | undefined },
  ) {}

  /**
   * @param organizationId 0 if there is no organization at the host.
   * @param chatUrl the URL at which the client reached the chat.
   */
  async describe(
    organizationId: number,
    chatUrl: string,
  ): Promise<ServerDescription & Partial<OrganizationDescription>> {
    const organization =
      organizationId === 0 ? undefined : await this.organizations.find(organizationId)
    const server = this.#server(organization, chatUrl)
    if (organization === undefined) return server
    return {
      ...server,
      realm_name: organization.name,
      realm_icon: organizationIconUrl(organization, this.facts.address),
      realm_description: await this.#description(organization),
      realm_web_public_access_enabled: await this.spectators.admits(organization.id),
    }
  }

  #server(organization: OrganizationState | undefined, url: string): ServerDescription {
    const settings = organization?.settings ?? defaultOrganizationSettings
    const takesAddresses = this.methods.allows(settings, 'Email')
    const hasDirectory = this.methods.allows(settings, 'LDAP')
    return {
      authentication_methods: {
        password: takesAddresses || hasDirectory,
        dev: this.methods.allows(settings, 'Dev'),
        email: takesAddresses,
        ldap: hasDirectory,
        ...fromKeys(neverOffered, () => false as const),
      },
      external_authentication_methods: externalMethods(this.signOn.signOn, this.facts.address),
      push_notifications_enabled: organization?.settings.push_notifications_enabled ?? false,
      email_auth_enabled: takesAddresses,
      require_email_format_usernames: !this.methods
        .allowedAuthenticators(settings)
        .some(({ acceptsAnyUsername }) => acceptsAnyUsername),
      realm_url: url,
      realm_uri: url,
    }
  }

  async #description({ id, settings }: OrganizationState): Promise<string> {
    if (settings.description.trim() === '') return ''
    const scope = this.database.read(id)
    const { html } = await this.renderer.render(scope, spectatorOf(id), settings.description, {
      isDescription: true,
    })
    return html
  }
}
