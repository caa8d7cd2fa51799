import { inject } from 'tsyringe'

import type { ChatRequest } from '../../../http/chat-request.js'
import { HostHooksToken, type HostHooks } from '../../../http/pipeline/host-identity.js'
import type { Organization, OrganizationResolver } from '../../../http/ports.js'
import { perServer } from '../../../kernel/per-server.js'
import { OrganizationService } from '../../organization/organizations/index.js'

/** Resolves a request to the organization that the application returns, or to the only one. */
@perServer()
export class RequestOrganizationResolver implements OrganizationResolver {
  constructor(
    @inject(HostHooksToken) private readonly hooks: HostHooks,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  async resolve(request: ChatRequest): Promise<Organization | undefined> {
    if (this.hooks.resolveOrganization === undefined) return this.organizations.findOnly()
    const subdomain = await this.hooks.resolveOrganization(request.raw)
    return subdomain === null ? undefined : this.organizations.findBySubdomain(subdomain)
  }
}
