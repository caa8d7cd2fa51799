import { inject } from 'tsyringe'

import type { ChatRequest } from '../../../http/chat-request.js'
import { HostHooksToken, type HostHooks } from '../../../http/pipeline/host-identity.js'
import type { Organization, OrganizationResolver } from '../../../http/ports.js'
import { perServer } from '../../../kernel/per-server.js'
import { SetupProblems } from '../../../kernel/setup-problems.js'
import { OrganizationService } from '../../organization/organizations/index.js'

/** Resolves a request to the organization that the application returns, or to the only one. */
@perServer()
export class RequestOrganizationResolver implements OrganizationResolver {
  constructor(
    @inject(HostHooksToken) private readonly hooks: HostHooks,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(SetupProblems) private readonly problems: SetupProblems,
  ) {}

  async resolve(request: ChatRequest): Promise<Organization | undefined> {
    const { resolveOrganization } = this.hooks
    if (resolveOrganization === undefined) return this.organizations.findOnly()
    // The application may not be type-checked.
    const subdomain: string | null | undefined = await resolveOrganization(request.raw)
    if (subdomain === undefined) this.problems.note('ORGANIZATION_UNDEFINED')
    if (typeof subdomain !== 'string') return undefined
    const organization = await this.organizations.findBySubdomain(subdomain)
    // Only the first: clients may choose the host name that it is derived from.
    if (organization === undefined) this.problems.update(true, 'ORGANIZATION_UNKNOWN', subdomain)
    return organization
  }
}
