import { inject } from 'tsyringe'

import {
  channelPermissions,
  groupPermissions,
  organizationPermissions,
  systemGroupNames,
  type ChannelPermission,
  type GroupPermission,
  type OrganizationPermission,
  type PermissionSettingDefinition,
  type SystemGroupName,
} from '../../../domain/organizations/organization-settings.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { toJson, type Transaction } from '../../../storage/index.js'
import {
  GroupSettingValues,
  insertSystemGroups,
  UserGroupRepository,
  type GroupSettingValue,
  userGroupMembers,
  userGroupSubgroups,
} from '../../groups/user-groups/index.js'
import type { FileGroup, FileGroupValue } from './organization-file-items.js'
import type { OrganizationFile } from './organization-file-schema.js'

/** The group id of each permission setting, by the setting's name. */
type PermissionIds<Name extends string> = Readonly<Record<Name, number>>

/** The permission settings of the organization and of every channel of a file. */
export interface LoadedPermissions {
  readonly organization: PermissionIds<OrganizationPermission>
  /** By channel id. */
  readonly channels: ReadonlyMap<number, PermissionIds<ChannelPermission>>
}

/** The organization, a channel or a group of a file. */
interface SettingOwner<Name extends string> {
  readonly settings?: Partial<Record<Name, FileGroupValue>>
  readonly creator_id?: number
}

type Definitions<Name extends string> = Readonly<Record<Name, PermissionSettingDefinition>>
type SettingValues<Name extends string> = Readonly<Record<Name, GroupSettingValue>>
type GroupIds = ReadonlyMap<GroupSettingValue, number>

const systemNames: ReadonlySet<string> = new Set(systemGroupNames)

/**
 * Stores the groups of an organization file, and the anonymous groups that hold the values of its
 * permission settings.
 */
@perServer()
export class GroupLoader {
  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(GroupSettingValues) private readonly values: GroupSettingValues,
  ) {}

  async load(
    tx: Transaction,
    file: OrganizationFile,
    createdAtSeconds: number,
  ): Promise<LoadedPermissions> {
    const all = file.groups ?? []
    const named = all.filter(({ name }) => !systemNames.has(name))
    // Rows without a prescribed id get an id after all prescribed ones.
    await tx.reserveIds('user_groups', Math.max(0, ...all.map(({ id }) => id)) + 1)
    const prescribed = new Map(
      all.filter(({ name }) => systemNames.has(name)).map(({ name, id }) => [name, id]),
    )
    const systemIds = await insertSystemGroups(tx, this.groups, createdAtSeconds, prescribed)
    const idOf = groupIds(named, systemIds)
    const organization = settingValues(organizationPermissions, file.organization, idOf)
    const channels = await eachSettingValues(channelPermissions, file.channels ?? [], idOf)
    const groups = await eachSettingValues(groupPermissions, named, idOf)
    const ids = await this.values.storeAll(
      tx,
      [organization, ...channels.values(), ...groups.values()].flatMap(allValues),
    )
    await this.#insertNamed(tx, groups, ids, createdAtSeconds)
    await this.#insertContents(tx, named, idOf)
    return {
      organization: permissionIds(organization, ids),
      channels: new Map(
        [...channels].map(([{ id }, values]) => [id, permissionIds(values, ids)] as const),
      ),
    }
  }

  async #insertNamed(
    tx: Transaction,
    named: ReadonlyMap<FileGroup, SettingValues<GroupPermission>>,
    ids: GroupIds,
    createdAtSeconds: number,
  ): Promise<void> {
    const rows = [...named].map(([group, values]) => ({
      id: group.id,
      name: group.name,
      description: group.description ?? '',
      is_system_group: false,
      is_deactivated: group.is_deactivated ?? false,
      creator_id: group.creator_id ?? null,
      created_at_seconds: group.created_at_seconds ?? createdAtSeconds,
      settings: toJson(permissionIds(values, ids)),
    }))
    for (const chunk of chunksOf(rows)) await this.groups.insertMany(tx, chunk)
  }

  async #insertContents(
    tx: Transaction,
    named: readonly FileGroup[],
    idOf: (reference: number | string) => number,
  ): Promise<void> {
    const members = named.flatMap(({ id, members: userIds = [] }) =>
      userIds.map((user_id) => ({ group_id: id, user_id })),
    )
    const subgroups = named.flatMap(({ id, subgroups: references = [] }) =>
      [...new Set(references.map(idOf))].map((subgroup_id) => ({ group_id: id, subgroup_id })),
    )
    for (const chunk of chunksOf(members)) await tx.rows(userGroupMembers).insertMany(chunk)
    for (const chunk of chunksOf(subgroups)) await tx.rows(userGroupSubgroups).insertMany(chunk)
  }
}

function groupIds(
  named: readonly FileGroup[],
  systemIds: Readonly<Record<SystemGroupName, number>>,
): (reference: number | string) => number {
  const byName = new Map<string, number>([
    ...Object.entries(systemIds),
    ...named.map(({ name, id }) => [name, id] as const),
  ])
  return (reference) =>
    typeof reference === 'number'
      ? reference
      : present(byName.get(reference), 'a group of the file')
}

/** The values of the settings of each channel, or of each group. */
async function eachSettingValues<Name extends string, Owner extends SettingOwner<NoInfer<Name>>>(
  definitions: Definitions<Name>,
  owners: readonly Owner[],
  idOf: (reference: number | string) => number,
): Promise<ReadonlyMap<Owner, SettingValues<Name>>> {
  const found = new Map<Owner, SettingValues<Name>>()
  const yielder = new EventLoopYielder()
  for (const owner of owners) {
    if (yielder.isDue) await yielder.yield()
    found.set(owner, settingValues(definitions, owner, idOf))
  }
  return found
}

function settingValues<Name extends string>(
  definitions: Definitions<Name>,
  { settings = {}, creator_id }: SettingOwner<NoInfer<Name>>,
  idOf: (reference: number | string) => number,
): SettingValues<Name> {
  return fromKeys(keysOf(definitions), (name) =>
    settingValue(settings[name], definitions[name], creator_id, idOf),
  )
}

function allValues(values: Readonly<Record<string, GroupSettingValue>>): GroupSettingValue[] {
  return Object.values(values)
}

function permissionIds<Name extends string>(
  values: SettingValues<Name>,
  ids: GroupIds,
): PermissionIds<Name> {
  return fromKeys(keysOf(values), (name) => present(ids.get(values[name]), 'the id of each value'))
}

function settingValue(
  value: FileGroupValue | undefined,
  { default: initial }: PermissionSettingDefinition,
  creatorId: number | undefined,
  idOf: (reference: number | string) => number,
): GroupSettingValue {
  if (value === undefined) {
    const isCreators = initial === 'stream_creator_or_nobody' || initial === 'group_creator'
    if (!isCreators) return idOf(initial)
    if (creatorId === undefined) return idOf('role:nobody')
    return { direct_members: [creatorId], direct_subgroups: [] }
  }
  if (typeof value !== 'object') return idOf(value)
  const { direct_members = [], direct_subgroups = [] } = value
  return { direct_members, direct_subgroups: direct_subgroups.map(idOf) }
}
