import { createRequire } from 'node:module'

import type { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { OrganizationService } from '../organizations/index.js'
import { domainWithParents } from './domain-name.js'
import { realmDomains } from './realm-domains-table.js'

const require = createRequire(import.meta.url)

interface Library {
  readonly disposableEmailBlocklistSet: typeof disposableEmailBlocklistSet
}

let domains: ReadonlySet<string> | undefined

/**
 * Whether a domain, or a parent domain of it, is known to provide disposable addresses, which
 * anyone can read and which soon expire.
 */
export function isDisposableDomain(domain: string): boolean {
  const known = (domains ??= loadDomains())
  const labels = domain.toLowerCase().split('.')
  return labels.some((_, index) => known.has(labels.slice(index).join('.')))
}

/** Loaded on first use: few organizations refuse such addresses. */
function loadDomains(): ReadonlySet<string> {
  const library: Library = require('disposable-email-domains-js')
  return library.disposableEmailBlocklistSet()
}

/** Why an organization rejects an email address. Every caller has its own message for it. */
export type EmailDomainProblem = 'foreign' | 'disposable' | 'tagged'

/** Checks the domains of new email addresses. */
@perServer()
export class EmailDomains {
  constructor(@inject(OrganizationService) private readonly organizations: OrganizationService) {}

  /**
   * @param email a well-formed email address.
   * @returns undefined if the organization accepts it; `tagged` for an address with a `+`, because
   *   tags give one mailbox any number of addresses.
   */
  async problemOf(
    scope: OrganizationScope,
    email: string,
  ): Promise<EmailDomainProblem | undefined> {
    return (await this.problemsOf(scope, [email])).get(email)
  }

  /** The same for many addresses, without those that the organization accepts. */
  async problemsOf(
    scope: OrganizationScope,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, EmailDomainProblem>> {
    const { settings } = await this.organizations.require(scope.organizationId)
    const isRestricted = settings.emails_restricted_to_domains
    const isOwn = isRestricted ? await this.#ownDomains(scope, emails.map(domainOf)) : () => true
    const problems = new Map<string, EmailDomainProblem>()
    for (const email of emails) {
      const domain = domainOf(email)
      if (!isOwn(domain)) problems.set(email, 'foreign')
      else if (settings.disallow_disposable_email_addresses && isDisposableDomain(domain)) {
        problems.set(email, 'disposable')
      } else if (isRestricted && email.slice(0, email.lastIndexOf('@')).includes('+')) {
        problems.set(email, 'tagged')
      }
    }
    return problems
  }

  async #ownDomains(
    scope: OrganizationScope,
    domains: readonly string[],
  ): Promise<(domain: string) => boolean> {
    const candidates = new Set(domains.flatMap(domainWithParents))
    const rows = await scope.rows(realmDomains).list({ domain: [...candidates] })
    const known = new Map(rows.map((row) => [row.domain, row.allow_subdomains]))
    return (domain) =>
      domainWithParents(domain).some((own) => known.get(own) ?? false) || known.has(domain)
  }
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
