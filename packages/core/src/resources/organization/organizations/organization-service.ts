import { changesBetween } from '../../../domain/organizations/audit-actions.js'
import { inject } from 'tsyringe'

import { defaultNewUserRules } from '../../../domain/organizations/organization-presets.js'
import {
  defaultOrganizationSettings,
  type OrganizationSettings,
} from '../../../domain/organizations/organization-settings.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { badRequest } from '../../../errors/index.js'
import { defineRecord } from '../../../events/record-kind.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import type { Audience } from '../../../events/event.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { SetupProblems } from '../../../kernel/setup-problems.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  parseJson,
  toJson,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { initialOrganizationImages } from '../../../domain/files/organization-images.js'
import { realmDeactivated, realmSettingsUpdated, realmUpdated } from './organization-events.js'
import { OrganizationRepository, type OrganizationRowData } from './organization-repository.js'
import { SharedValues, type SharedValue } from './shared-values.js'

/** A change of the organization of which no client gets an event. */
export const organizationChanged = defineRecord<object>('@organization')

/** The records of every change of the organization's row that is not only of the log. */
export const organizationChanges = [
  organizationChanged,
  realmUpdated,
  realmSettingsUpdated,
  realmDeactivated,
]

/** Reads organizations and caches them until they change. */
@perServer()
export class OrganizationService {
  readonly #states: SharedValue<OrganizationState | undefined>
  readonly #idsBySubdomain = new Map<string, number>()
  /** The only organization, cached until `untilMilliseconds`. */
  #only: { readonly id: number; readonly untilMilliseconds: number } | undefined

  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(SetupProblems) private readonly problems: SetupProblems,
    @inject(FollowedLogs) logs: FollowedLogs,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#states = shared.define('organizations', {
      load: async ({ organizationId }) => {
        const row = await this.organizations.find(organizationId)
        return row === undefined ? undefined : organizationStateOf(row)
      },
      changedBy: organizationChanges,
      // Another transaction may be creating it.
      isSmall: (state) => state !== undefined,
    })
    // The organization may be deleted and its name in use by another one.
    logs.onEnd(() => this.forgetNames())
  }

  async find(id: number): Promise<OrganizationState | undefined> {
    return this.#states.of(id)
  }

  /**
   * @throws {Error} if there is no such organization. Only for ids that do not come from a request.
   */
  async require(id: number): Promise<OrganizationState> {
    const state = await this.find(id)
    if (state === undefined) throw new Error(`There is no organization ${id}`)
    return state
  }

  /** The same inside a transaction that may have just created the organization. */
  async requireWithin(scope: OrganizationScope): Promise<OrganizationState> {
    const known = await this.find(scope.organizationId)
    if (known !== undefined) return known
    const row = await this.organizations.findCurrent(scope)
    if (row === undefined) throw new Error(`There is no organization ${scope.organizationId}`)
    return organizationStateOf(row)
  }

  async findBySubdomain(subdomain: string): Promise<OrganizationState | undefined> {
    let id = this.#idsBySubdomain.get(subdomain)
    if (id === undefined) {
      id = (await this.organizations.findBySubdomain(subdomain))?.id
      if (id === undefined) return undefined
      this.#idsBySubdomain.set(subdomain, id)
    }
    const state = await this.find(id)
    if (state?.subdomain === subdomain) return state
    // It was deleted, or got another subdomain.
    this.#idsBySubdomain.delete(subdomain)
    const row = await this.organizations.findBySubdomain(subdomain)
    return row === undefined ? undefined : this.find(row.id)
  }

  /** The only organization of this server, or undefined if there are none or several. */
  async findOnly(): Promise<OrganizationState | undefined> {
    if (this.#only === undefined || this.clock.now() >= this.#only.untilMilliseconds) {
      const id = await this.#findOnlyId()
      // Another process may add an organization; it is detected as late as other changes of the
      // log.
      const milliseconds = this.facts.logPollMilliseconds || Infinity
      this.#only =
        id === undefined ? undefined : { id, untilMilliseconds: this.clock.now() + milliseconds }
    }
    return this.#only === undefined ? undefined : this.find(this.#only.id)
  }

  /**
   * The organization that a call of the application names, or the only one.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization, or none is named and there is
   *   not exactly one.
   */
  async requireNamed(subdomain: string | undefined): Promise<OrganizationState> {
    const found = await (subdomain === undefined
      ? this.findOnly()
      : this.findBySubdomain(subdomain))
    if (found !== undefined) return found
    throw badRequest(subdomain === undefined ? 'ORGANIZATION_NOT_NAMED' : 'ORGANIZATION_UNKNOWN')
  }

  async #findOnlyId(): Promise<number | undefined> {
    const [first, second] = await this.organizations.list(2)
    if (first !== undefined && second === undefined) return first.id
    this.problems.note(first === undefined ? 'NO_ORGANIZATION' : 'SEVERAL_ORGANIZATIONS')
    return undefined
  }

  /** Changes settings of the organization of `tx` and sends an event for each to `audience`. */
  async changeSettings(
    tx: Transaction,
    audience: Audience,
    changes: Partial<Omit<OrganizationSettings, 'disabled_authentication_methods'>>,
  ): Promise<void> {
    const row = await this.organizations.lockCurrent(tx)
    const changed = { ...parseJson(row.settings), ...changes }
    await this.organizations.update(tx, { settings: toJson(changed) })
    const { settings } = organizationStateOf(row)
    tx.audit({ action: 'organization.updated', changes: changesBetween(settings, changes) })
    for (const [property, value] of Object.entries(changes)) {
      tx.emit(realmUpdated(audience, { property, value }))
    }
  }

  /** Clears the cache of names, because an organization was added or deleted. */
  forgetNames(): void {
    this.#idsBySubdomain.clear()
    this.#only = undefined
  }
}

/** The organization of a database row. */
export function organizationStateOf(row: OrganizationRowData): OrganizationState {
  const { permissions, images, newUsers, ...settings } = parseJson(row.settings)
  return {
    id: row.id,
    subdomain: row.subdomain,
    name: row.name,
    createdAtSeconds: row.created_at_seconds,
    isDeactivated: row.is_deactivated,
    epoch: row.epoch,
    settings: { ...defaultOrganizationSettings, ...settings },
    permissions,
    images: { ...initialOrganizationImages, ...images },
    newUsers: newUsers ?? defaultNewUserRules,
    userDefaults: parseUserSettings(row.user_defaults),
  }
}
