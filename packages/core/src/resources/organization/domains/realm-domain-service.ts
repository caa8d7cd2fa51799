import { inject } from 'tsyringe'

import { createdValues, deletedValues } from '../../../domain/organizations/audit-actions.js'
import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  type OrganizationScope,
  type Transaction,
  UnitOfWork,
} from '../../../storage/index.js'
import {
  ActiveUsers,
  OrganizationRepository,
  OrganizationService,
  organizationStateOf,
  type SharedValue,
  SharedValues,
} from '../organizations/index.js'
import { normalizeDomain } from './domain-name.js'
import {
  domainAdded,
  domainChanged,
  domainRemoved,
  type RealmDomain,
} from './realm-domain-events.js'
import { type RealmDomainRow, realmDomains } from './realm-domains-table.js'

/** The allowed email domains of an organization. Owners manage them. */
@perServer()
export class RealmDomainService {
  readonly #domainList: SharedValue<RealmDomain[]>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OrganizationRepository) private readonly organizationRows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#domainList = shared.define('realm_domains', {
      load: async (scope) =>
        (await scope.rows(realmDomains).list({}, 'id')).map(({ domain, allow_subdomains }) => ({
          domain,
          allow_subdomains,
        })),
      changedBy: [domainAdded, domainChanged, domainRemoved],
    })
  }

  /** All domains of the actor's organization, oldest first. */
  async listFor(actor: Actor): Promise<RealmDomain[]> {
    return this.list(this.database.read(actor.organizationId))
  }

  list(scope: OrganizationScope): Promise<RealmDomain[]> {
    return this.#domainList.in(scope)
  }

  /**
   * @param actor an owner.
   * @throws {ChatError} `BAD_REQUEST` if the domain is invalid, already exists, or there are too
   *   many.
   */
  async add(
    actor: Actor,
    text: string,
    allow_subdomains: boolean,
  ): Promise<{ readonly id: number; readonly domain: string }> {
    const domain = normalizeDomain(text)
    return this.unitOfWork.runFor(actor, async (tx) => {
      if (await tx.rows(realmDomains).has({ domain })) throw badRequest('DOMAIN_TAKEN', { domain })
      const present = await tx.rows(realmDomains).count()
      this.quotas.require('realmDomainsPerOrganization', present + 1)
      const id = await tx.rows(realmDomains).insert({ domain, allow_subdomains })
      const changes = createdValues({ domain, allow_subdomains })
      tx.audit({ action: 'domain.added', objectId: id, changes })
      tx.emit(domainAdded(await this.#everyone(tx), { realm_domain: { domain, allow_subdomains } }))
      return { id, domain }
    })
  }

  /**
   * @param actor an owner.
   * @throws {ChatError} `BAD_REQUEST` if the organization has no such domain.
   */
  async change(actor: Actor, text: string, allow_subdomains: boolean): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { id, domain, allow_subdomains: old } = await this.#require(tx, text)
      await tx.rows(realmDomains).update({ id }, { allow_subdomains })
      const changes = { allow_subdomains: { old, new: allow_subdomains } }
      tx.audit({ action: 'domain.updated', objectId: id, changes })
      const realm_domain = { domain, allow_subdomains }
      tx.emit(domainChanged(await this.#everyone(tx), { realm_domain }))
    })
  }

  /**
   * Removes a domain. If no domain is left, addresses of all domains are allowed.
   *
   * @param actor an owner.
   * @throws {ChatError} `BAD_REQUEST` if the organization has no such domain.
   */
  async remove(actor: Actor, text: string): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { settings } = organizationStateOf(await this.organizationRows.lockCurrent(tx))
      const { id, domain, allow_subdomains } = await this.#require(tx, text)
      await tx.rows(realmDomains).delete({ id })
      const changes = deletedValues({ domain, allow_subdomains })
      tx.audit({ action: 'domain.removed', objectId: id, changes })
      const audience = await this.#everyone(tx)
      const isLast = (await tx.rows(realmDomains).count()) === 0
      if (isLast && settings.emails_restricted_to_domains) {
        await this.organizations.changeSettings(tx, audience, {
          emails_restricted_to_domains: false,
        })
      }
      tx.emit(domainRemoved(audience, { domain }))
    })
  }

  async #require(tx: Transaction, text: string): Promise<RealmDomainRow> {
    const row = await tx.rows(realmDomains).find({ domain: text.trim().toLowerCase() })
    if (row === undefined) throw badRequest('DOMAIN_UNKNOWN', { domain: text })
    return row
  }

  async #everyone(tx: Transaction): Promise<Audience> {
    return { audienceId: await this.activeUsers.audience(tx) }
  }
}
