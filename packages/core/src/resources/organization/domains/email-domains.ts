import { inject } from 'tsyringe'

import { isDisposableDomain } from '../../../domain/disposable-domains.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { OrganizationService } from '../organizations/index.js'
import { domainWithParents } from './domain-name.js'
import { RealmDomainRepository } from './realm-domain-repository.js'

/** Why an organization rejects an email address. Every caller has its own message for it. */
export type EmailDomainProblem = 'foreign' | 'disposable' | 'tagged'

/** Checks the domains of new email addresses. */
@perServer()
export class EmailDomains {
  constructor(
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(RealmDomainRepository) private readonly domains: RealmDomainRepository,
  ) {}

  /**
   * @param email a well-formed email address.
   * @returns undefined if the organization accepts it; `tagged` for an address with a `+`, because
   *   tags give one mailbox any number of addresses.
   */
  async problemOf(
    scope: OrganizationScope,
    email: string,
  ): Promise<EmailDomainProblem | undefined> {
    const { settings } = await this.organizations.require(scope.organizationId)
    const at = email.lastIndexOf('@')
    const domain = email.slice(at + 1).toLowerCase()
    const isRestricted = settings.emails_restricted_to_domains
    if (isRestricted && !(await this.#isOwn(scope, domain))) return 'foreign'
    if (settings.disallow_disposable_email_addresses && isDisposableDomain(domain)) {
      return 'disposable'
    }
    return isRestricted && email.slice(0, at).includes('+') ? 'tagged' : undefined
  }

  async #isOwn(scope: OrganizationScope, domain: string): Promise<boolean> {
    const found = await this.domains.findAmong(scope, domainWithParents(domain))
    return found.some((row) => row.domain === domain || row.allow_subdomains)
  }
}
