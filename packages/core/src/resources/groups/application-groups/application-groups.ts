import { inject } from 'tsyringe'

import { applicationActor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import {
  externalIdOf,
  type StartedSyncPart,
  type SyncDifferences,
  type SyncedAccount,
  type SyncEntry,
  type SyncOptions,
  type SyncPart,
  type SyncProblem,
} from '../../people/users/index.js'
import {
  auditMembers,
  onlyCreator,
  userGroupMembersAdded,
  userGroupMembersRemoved,
  UserGroupMembershipService,
  UserGroupRepository,
  UserGroupService,
  userGroupMembers,
} from '../user-groups/index.js'
import {
  ApplicationGroupRepository,
  type ApplicationGroup,
} from './application-group-repository.js'

/** The groups that the users of a call name. */
interface NamedGroups {
  readonly byExternalId: ReadonlyMap<string, ApplicationGroup>
  /** Why others cannot be created or renamed. */
  readonly problems: ReadonlyMap<string, string>
}

interface Comparison extends SyncDifferences {
  /** Ids of users by group. */
  readonly joining: ReadonlyMap<number, readonly number[]>
  readonly leaving: ReadonlyMap<number, readonly number[]>
  readonly deactivatedIds: ReadonlySet<number>
}

/** The groups whose members the application decides. */
@perServer()
export class ApplicationGroups implements SyncPart {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ApplicationGroupRepository) private readonly rows: ApplicationGroupRepository,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(UserGroupService) private readonly service: UserGroupService,
    @inject(UserGroupMembershipService) private readonly membership: UserGroupMembershipService,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
  ) {}

  /** Creates and renames the groups that the users name. */
  async start(
    organizationId: number,
    entries: readonly SyncEntry[],
    { groups: described = [] }: SyncOptions,
  ): Promise<StartedSyncPart | undefined> {
    if (!entries.some(({ groups }) => groups !== undefined)) return undefined
    const nameOf = new Map(described.map((group) => [externalIdOf(group.externalId), group.name]))
    const names = new Map<string, string | undefined>()
    for (const { groups = [] } of entries) for (const id of groups) names.set(id, nameOf.get(id))
    const named = await this.#ensure(organizationId, names)
    return {
      compare: (scope, accounts) => this.#compare(scope, accounts, named),
      apply: (tx, accounts) => this.#apply(tx, accounts, named),
    }
  }

  /** @param names undefined for a group that keeps its name. */
  async #ensure(
    organizationId: number,
    names: ReadonlyMap<string, string | undefined>,
  ): Promise<NamedGroups> {
    const scope = this.database.read(organizationId)
    const find = async () => {
      const found = await this.rows.list(scope, [...names.keys()])
      return new Map(found.map((group) => [group.external_id, group]))
    }
    const known = await find()
    const problems = new Map<string, string>()
    let isSame = true
    for (const [externalId, name] of names) {
      const group = known.get(externalId)
      if (group !== undefined && (name ?? group.name).trim() === group.name) continue
      const problem = await this.#store(scope, externalId, name ?? externalId, group?.id)
      if (problem !== undefined) problems.set(externalId, problem)
      isSame = false
    }
    if (isSame) return { byExternalId: known, problems }
    const byExternalId = await find()
    // Another process may have created it meanwhile.
    for (const id of byExternalId.keys()) if (!known.has(id)) problems.delete(id)
    return { byExternalId, problems }
  }

  /** Creates or renames a group. @returns why it is not possible. */
  async #store(
    scope: OrganizationScope,
    externalId: string,
    name: string,
    id: number | undefined,
  ): Promise<string | undefined> {
    const actor = applicationActor(scope.organizationId)
    try {
      if (id === undefined) {
        // Its members may not leave, because the next call would add them again.
        const settings = { can_leave_group: onlyCreator(actor) }
        const empty = { description: '', members: [], subgroups: [], settings }
        await this.service.create(actor, { externalId, name, ...empty })
      } else {
        await this.service.update(actor, id, { name, settings: {} })
      }
      return undefined
    } catch (error) {
      if (error instanceof ChatError) return `groups: ${error.message}`
      throw error
    }
  }

  async #apply(
    tx: Transaction,
    accounts: readonly SyncedAccount[],
    named: NamedGroups,
  ): Promise<SyncDifferences> {
    if (!accounts.some(({ entry }) => entry.groups !== undefined)) return nothing
    await this.groups.serializeChanges(tx)
    const compared = await this.#compare(tx, accounts, named)
    const { joining, leaving, deactivatedIds } = compared
    if (compared.changedIds.size === 0) return compared
    const afterwards: (() => Promise<void>)[] = []
    for (const groupId of new Set([...joining.keys(), ...leaving.keys()])) {
      afterwards.push(...(await this.membership.announceChange(tx, groupId)))
    }
    for (const [groupId, userIds] of leaving)
      await tx.rows(userGroupMembers).delete({ group_id: groupId, user_id: userIds })
    await tx
      .rows(userGroupMembers)
      .insertMany(
        [...joining].flatMap(([group_id, ids]) => ids.map((user_id) => ({ group_id, user_id }))),
      )
    const audience = { audienceId: await this.activeUsers.audience(tx) }
    const about = (group_id: number, user_ids: readonly number[]) => ({
      group_id,
      user_ids: [...user_ids],
      ...(deactivatedIds.has(group_id) && { isDeactivated: true as const }),
    })
    for (const [id, userIds] of leaving) {
      auditMembers(tx, 'user_group.member_removed', id, userIds)
      tx.emit(userGroupMembersRemoved(audience, about(id, userIds)))
    }
    for (const [id, userIds] of joining) {
      auditMembers(tx, 'user_group.member_added', id, userIds)
      tx.emit(userGroupMembersAdded(audience, about(id, userIds)))
    }
    for (const emitAfterwards of afterwards) await emitAfterwards()
    return compared
  }

  async #compare(
    scope: OrganizationScope,
    accounts: readonly SyncedAccount[],
    { byExternalId, problems: unusable }: NamedGroups,
  ): Promise<Comparison> {
    const concerned = accounts.filter(({ entry }) => entry.groups !== undefined)
    const current = await this.rows.listMemberships(
      scope,
      concerned.map(({ id }) => id),
    )
    const groupsOf = new Map<number, Set<number>>()
    for (const { group_id, user_id } of current) {
      const ids = groupsOf.get(user_id) ?? new Set()
      groupsOf.set(user_id, ids.add(group_id))
    }
    const problems: SyncProblem[] = []
    const joining = new Map<number, number[]>()
    const leaving = new Map<number, number[]>()
    const changedIds = new Set<number>()
    for (const { id: userId, entry } of concerned) {
      const before = groupsOf.get(userId) ?? new Set()
      const wanted = new Set<number>()
      for (const externalId of entry.groups ?? []) {
        const group = byExternalId.get(externalId)
        if (group !== undefined) wanted.add(group.id)
        const message = unusable.get(externalId)
        if (message !== undefined) problems.push({ externalId: entry.identity.externalId, message })
      }
      for (const id of wanted) if (!before.has(id)) addTo(joining, id, userId)
      for (const id of before) if (!wanted.has(id)) addTo(leaving, id, userId)
      const isSame = before.size === wanted.size && [...wanted].every((id) => before.has(id))
      if (!isSame) changedIds.add(userId)
    }
    const deactivatedIds = new Set<number>()
    for (const group of byExternalId.values()) {
      if (group.is_deactivated) deactivatedIds.add(group.id)
    }
    for (const row of current) if (row.is_deactivated) deactivatedIds.add(row.group_id)
    return { changedIds, problems, joining, leaving, deactivatedIds }
  }
}

const nothing: SyncDifferences = { changedIds: new Set(), problems: [] }
