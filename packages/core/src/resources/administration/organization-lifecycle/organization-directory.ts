import { inject } from 'tsyringe'

import { changesBetween } from '../../../domain/organizations/audit-actions.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import {
  ActiveUsers,
  organizationChanged,
  OrganizationRepository,
  OrganizationService,
  realmUpdated,
} from '../../organization/organizations/index.js'
import { requireOrganizationName } from './organization-name.js'
import { requireSubdomain } from './subdomain-rules.js'

const organizationsPerPage = 500

/** An organization, as the application sees it. */
export interface ApplicationOrganization {
  readonly id: number
  /** Empty for the organization at the server's own host. */
  readonly subdomain: string
  readonly name: string
  /** UNIX seconds. */
  readonly createdAtSeconds: number
  readonly isDeactivated: boolean
}

/** Changes of an organization; absent properties stay. */
export interface OrganizationUpdate {
  /** 1 to 40 characters. */
  readonly name?: string
  /** Clients find the organization at the address of its new subdomain from then on. */
  readonly subdomain?: string
}

/** Lists, finds and changes organizations for the application. */
@perServer()
export class OrganizationDirectory {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly rows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Up to 500 organizations after `afterId`, oldest first; an empty page is the end. */
  async page(afterId: number): Promise<ApplicationOrganization[]> {
    return (await this.rows.listRows(organizationsPerPage, afterId)).map(applicationView)
  }

  /** @param reference the `subdomain` or the id. */
  async find(
    call: string,
    reference: string | number,
  ): Promise<ApplicationOrganization | undefined> {
    if (typeof reference !== 'string' && !Number.isSafeInteger(reference)) {
      throw new TypeError(`${call}: needs a subdomain, a string, or an id, an integer`)
    }
    const row =
      typeof reference === 'string'
        ? await this.rows.findBySubdomain(reference)
        : await this.rows.find(reference)
    return row === undefined ? undefined : applicationView(row)
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such organization. */
  async require(call: string, reference: string | number): Promise<ApplicationOrganization> {
    const found = await this.find(call, reference)
    if (found === undefined) throw badRequest('ORGANIZATION_UNKNOWN')
    return found
  }

  async update(
    reference: string | number,
    update: OrganizationUpdate,
  ): Promise<ApplicationOrganization> {
    const call = 'chat.organizations.update'
    requireUpdate(call, update)
    const { id } = await this.require(call, reference)
    if (update.subdomain !== undefined) requireSubdomain(update.subdomain)
    const name = update.name === undefined ? undefined : requireOrganizationName(update.name)
    try {
      return await this.unitOfWork.run(id, (tx) => this.#update(tx, name, update.subdomain))
    } catch (error) {
      if (!this.database.dialect.isUniqueViolation(error)) throw error
      throw new ChatError('SUBDOMAIN_TAKEN')
    } finally {
      this.organizations.forgetNames()
    }
  }

  async #update(
    tx: Transaction,
    name: string | undefined,
    subdomain: string | undefined,
  ): Promise<ApplicationOrganization> {
    const row = await this.rows.lockCurrent(tx)
    const changes = changesBetween(row, {
      ...(name !== undefined && { name }),
      ...(subdomain !== undefined && { subdomain }),
    })
    if (Object.keys(changes).length > 0) tx.audit({ action: 'organization.updated', changes })
    if (subdomain !== undefined && subdomain !== row.subdomain) {
      await this.rows.update(tx, { subdomain })
      tx.emit(organizationChanged({}))
    }
    if (name !== undefined && name !== row.name) {
      await this.rows.update(tx, { name })
      const audience = { audienceId: await this.activeUsers.audience(tx) }
      tx.emit(realmUpdated(audience, { property: 'name', value: name }))
    }
    return applicationView(await this.rows.lockCurrent(tx))
  }
}

type ViewedRow = Awaited<ReturnType<OrganizationRepository['listRows']>>[number]

function applicationView(row: ViewedRow): ApplicationOrganization {
  const { id, subdomain, name, created_at_seconds, is_deactivated } = row
  return {
    id,
    subdomain,
    name,
    createdAtSeconds: created_at_seconds,
    isDeactivated: is_deactivated,
  }
}

/** @throws {TypeError} because applications in plain JavaScript are not type-checked. */
function requireUpdate(call: string, update: OrganizationUpdate): void {
  const known = ['name', 'subdomain']
  const values: Partial<Record<string, unknown>> = { ...update }
  const unknown = Object.keys(values).filter((key) => !known.includes(key))
  if (unknown.length > 0) throw new TypeError(`${call}: unknown property ${unknown.join(', ')}`)
  for (const key of known) {
    const value = values[key]
    if (value === undefined || typeof value === 'string') continue
    throw new TypeError(`${call}: ${key} must be a string`)
  }
}
