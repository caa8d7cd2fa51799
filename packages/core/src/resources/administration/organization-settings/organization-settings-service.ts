import { inject } from 'tsyringe'

import { changesBetween, type AuditChanges } from '../../../domain/organizations/audit-actions.js'
import {
  organizationPermissions,
  type OrganizationPermission,
} from '../../../domain/organizations/organization-settings.js'
import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { Role, type Actor } from '../../../domain/users/actor.js'
import { ChatError, namedText } from '../../../errors/index.js'
import type { Audience } from '../../../events/event.js'
import { entriesOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { parseJson, toJson, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { AuthenticationMethods } from '../../access/authentication/index.js'
import { FullMembers } from '../../groups/role-groups/index.js'
import { GroupSettingValues, type GroupSettingUpdate } from '../../groups/user-groups/index.js'
import {
  ActiveUsers,
  OrganizationRepository,
  organizationStateOf,
  realmSettingsUpdated,
  realmUpdated,
  type ChangedSetting,
  type StoredOrganizationSettings,
} from '../../organization/organizations/index.js'
import { ChannelSettingRules } from './channel-setting-rules.js'
import {
  organizationSettingDefinitions,
  ownerOnlyPermissions,
  type OrganizationSettingDefinition,
  type OrganizationSettingName,
} from './organization-setting-definitions.js'
import { newSettings, type NewSettings } from './organization-setting-values.js'

/** Decoded parameters of `PATCH /realm`: new values by setting name. */
export type RequestedSettings = { readonly [Name in OrganizationSettingName]?: unknown } & {
  readonly [Name in OrganizationPermission]?: GroupSettingUpdate
} & { readonly authentication_methods?: Readonly<Record<string, boolean>> }

/** The changes that a part of a request has made. */
interface AppliedChanges {
  /** The new values, as the request is answered. */
  readonly answers: Record<string, unknown>
  readonly changes: AuditChanges
}

const nothing: AppliedChanges = { answers: {}, changes: {} }

/** Changes the organization's settings and sends events to all users. */
@perServer()
export class OrganizationSettingsService {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(ChannelSettingRules) private readonly channelRules: ChannelSettingRules,
    @inject(GroupSettingValues) private readonly groupValues: GroupSettingValues,
    @inject(AuthenticationMethods) private readonly methods: AuthenticationMethods,
    @inject(FullMembers) private readonly fullMembers: FullMembers,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Applies all changes in one transaction.
   *
   * @param actor an administrator.
   * @returns the settings that changed: the new value of numbers, booleans and groups, `updated`
   *   for texts.
   * @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` if only owners may change a setting,
   *   `BAD_REQUEST`, `REQUEST_VARIABLE_INVALID`, `EXPECTATION_MISMATCH` or `SYSTEM_GROUP_REQUIRED`
   *   if a value is invalid.
   */
  async change(actor: Actor, params: RequestedSettings): Promise<Record<string, unknown>> {
    requireOwnerFor(actor, params)
    const values = newSettings(params, this.facts)
    const methods = params.authentication_methods
    if (methods !== undefined) this.methods.requireKnown(methods)
    return this.unitOfWork.runFor(actor, async (tx) => {
      const state = organizationStateOf(await this.organizations.lockCurrent(tx))
      const audience = { audienceId: await this.activeUsers.audience(tx) }
      const ofValues = await this.#changeValues(tx, actor, audience, state, values)
      const ofMethods = await this.#changeMethods(tx, audience, methods)
      const ofPermissions = await this.#changePermissions(tx, audience, state, params)
      const changes = { ...ofValues.changes, ...ofMethods.changes, ...ofPermissions.changes }
      if (Object.keys(changes).length > 0) tx.audit({ action: 'organization.updated', changes })
      return { ...ofValues.answers, ...ofMethods.answers, ...ofPermissions.answers }
    })
  }

  async #changeValues(
    tx: Transaction,
    actor: Actor,
    audience: Audience,
    state: OrganizationState,
    newValues: NewSettings,
  ): Promise<AppliedChanges> {
    const present: Readonly<Record<string, unknown>> = { ...state.settings, name: state.name }
    const values = await this.channelRules.resolve(tx, actor, newValues)
    const changes = Object.entries(values).filter(([name, value]) => present[name] !== value)
    if (changes.length === 0) return nothing
    const { name, ...settings }: NewSettings = Object.fromEntries(changes)
    if (name !== undefined) await this.organizations.update(tx, { name })
    await this.#store(tx, settings)
    for (const [property, value] of changes) emitUpdate(tx, audience, property, value)
    if (settings.waiting_period_threshold !== undefined) {
      await this.fullMembers.changeWaitingPeriod(
        tx,
        state.settings.waiting_period_threshold,
        settings.waiting_period_threshold,
      )
    }
    return {
      answers: Object.fromEntries(
        changes.map(([property, value]) => [
          property,
          typeof value === 'string' ? 'updated' : value,
        ]),
      ),
      changes: changesBetween(present, Object.fromEntries(changes)),
    }
  }

  async #changeMethods(
    tx: Transaction,
    audience: Audience,
    enabled: Readonly<Record<string, boolean>> | undefined,
  ): Promise<AppliedChanges> {
    if (enabled === undefined) return nothing
    const { settings } = organizationStateOf(await this.organizations.lockCurrent(tx))
    const changes = this.methods.change(settings, enabled)
    if (changes === undefined) return nothing
    await this.#store(tx, changes)
    const authentication_methods = this.methods.describe({ ...settings, ...changes })
    tx.emit(realmSettingsUpdated(audience, { data: { authentication_methods } }))
    return {
      answers: { authentication_methods: enabled },
      changes: changesBetween(settings, changes),
    }
  }

  async #changePermissions(
    tx: Transaction,
    audience: Audience,
    { permissions }: OrganizationState,
    params: RequestedSettings,
  ): Promise<AppliedChanges> {
    const groupIds: Partial<Record<OrganizationPermission, number>> = {}
    const answers: Record<string, unknown> = {}
    const changes: Record<string, AuditChanges[string]> = {}
    for (const [name, definition] of entriesOf(organizationPermissions)) {
      const update = params[name]
      if (update === undefined) continue
      const setting = { name, definition }
      const change = await this.groupValues.change(tx, setting, permissions[name], update)
      if (change === undefined) continue
      groupIds[name] = change.groupId
      answers[name] = change.value
      changes[name] = { old: change.oldValue, new: change.value }
      tx.emit(realmSettingsUpdated(audience, { data: { [name]: change.value } }))
    }
    await this.#store(tx, { permissions: { ...permissions, ...groupIds } })
    return { answers, changes }
  }

  /** Requires a lock on the organization's row, so that its stored settings are current. */
  async #store(tx: Transaction, changes: Partial<StoredOrganizationSettings>): Promise<void> {
    const { settings } = await this.organizations.lockCurrent(tx)
    const stored = { ...parseJson(settings), ...changes }
    await this.organizations.update(tx, { settings: toJson(stored) })
  }
}

/**
 * @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` if only owners may change a setting and `actor` is
 *   not one.
 */
function requireOwnerFor(actor: Actor, params: RequestedSettings): void {
  if (actor.role === Role.owner) return
  const definitions: Readonly<Record<string, OrganizationSettingDefinition>> =
    organizationSettingDefinitions
  const needsOwner = Object.keys(params).some(
    (name) =>
      name === 'authentication_methods' ||
      ownerOnlyPermissions.has(name) ||
      definitions[name]?.ownerOnly === true,
  )
  if (!needsOwner) return
  throw new ChatError('UNAUTHORIZED_PRINCIPAL', { text: namedText('OWNER_REQUIRED') })
}

function emitUpdate(
  tx: Transaction,
  audience: Audience,
  property: string,
  value: ChangedSetting['value'],
): void {
  const definitions: Readonly<Record<string, OrganizationSettingDefinition>> =
    organizationSettingDefinitions
  if (definitions[property]?.coupled !== true) {
    tx.emit(realmUpdated(audience, { property, value }))
    return
  }
  const data =
    property === 'topics_policy'
      ? { topics_policy: value, mandatory_topics: value === 'disable_empty_topic' }
      : { [property]: value }
  tx.emit(realmSettingsUpdated(audience, { data }))
}
