import { inject } from 'tsyringe'

import { changesBetween } from '../../../domain/organizations/audit-actions.js'
import { Role } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  parseJson,
  toJson,
  UnitOfWork,
  type Transaction,
} from '../../../storage/index.js'
import {
  ActiveUsers,
  organizationChanged,
  OrganizationRepository,
  OrganizationService,
  organizationStateOf,
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
  /** The role of new users for whom the application names none: 400 (member) or 600 (guest). */
  readonly newUserRole: 400 | 600
  /** Whether new users get a direct message of the Welcome Bot. */
  readonly welcomesNewUsers: boolean
}

/** Changes of an organization; absent properties stay. */
export interface OrganizationUpdate {
  /** 1 to 40 characters. */
  readonly name?: string
  /** Clients find the organization at the address of its new subdomain from then on. */
  readonly subdomain?: string
  /** The role of new users for whom the application names none: 400 (member) or 600 (guest). */
  readonly newUserRole?: 400 | 600
  /** Whether new users get a direct message of the Welcome Bot. */
  readonly welcomesNewUsers?: boolean
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
      return await this.unitOfWork.run(id, async (tx) => {
        await this.#updateNewUsers(tx, update)
        return this.#update(tx, name, update.subdomain)
      })
    } catch (error) {
      if (!this.database.dialect.isUniqueViolation(error)) throw error
      throw new ChatError('SUBDOMAIN_TAKEN')
    } finally {
      this.organizations.forgetNames()
    }
  }

  async #updateNewUsers(tx: Transaction, update: OrganizationUpdate): Promise<void> {
    const row = await this.rows.lockCurrent(tx)
    const { newUsers: old } = organizationStateOf(row)
    const { newUserRole: role = old.role, welcomesNewUsers: isWelcomed = old.isWelcomed } = update
    const changes = changesBetween(
      { new_user_role: old.role, welcomes_new_users: old.isWelcomed },
      { new_user_role: role, welcomes_new_users: isWelcomed },
    )
    if (Object.keys(changes).length === 0) return
    const settings = { ...parseJson(row.settings), newUsers: { role, isWelcomed } }
    await this.rows.update(tx, { settings: toJson(settings) })
    tx.audit({ action: 'organization.updated', changes })
    tx.emit(organizationChanged({}))
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
  const { id, subdomain, name, createdAtSeconds, isDeactivated, newUsers } =
    organizationStateOf(row)
  return {
    id,
    subdomain,
    name,
    createdAtSeconds,
    isDeactivated,
    newUserRole: newUsers.role,
    welcomesNewUsers: newUsers.isWelcomed,
  }
}

const aString = { expected: 'a string', isRight: (value: unknown) => typeof value === 'string' }
const updateProperties = {
  name: aString,
  subdomain: aString,
  newUserRole: {
    expected: '400 (member) or 600 (guest)',
    isRight: (value: unknown) => value === Role.member || value === Role.guest,
  },
  welcomesNewUsers: {
    expected: 'a boolean',
    isRight: (value: unknown) => typeof value === 'boolean',
  },
}

/** @throws {TypeError} because applications in plain JavaScript are not type-checked. */
function requireUpdate(call: string, update: OrganizationUpdate): void {
  const values: Partial<Record<string, unknown>> = { ...update }
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(updateProperties, key))
  if (unknown.length > 0) throw new TypeError(`${call}: unknown property ${unknown.join(', ')}`)
  for (const [key, { expected, isRight }] of Object.entries(updateProperties)) {
    const value = values[key]
    if (value === undefined || isRight(value)) continue
    throw new TypeError(`${call}: ${key} must be ${expected}`)
  }
}
