import { inject } from 'tsyringe'

import {
  channelPermissions,
  groupPermissions,
  organizationPermissions,
  systemGroupNames,
  type PermissionSettingDefinition,
  type SystemGroupName,
} from '../../../domain/organization-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import type { Transaction } from '../../../storage/index.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import {
  GroupSettingValues,
  insertSystemGroups,
  UserGroupRepository,
  type GroupSettingValue,
} from '../../groups/user-groups/index.js'
import type { OrganizationFile } from './organization-file-schema.js'
import type { FileGroup, FileGroupValue } from './organization-file-items.js'

/** The group id of each permission setting, by the setting's name. */
export type PermissionIds = Readonly<Record<string, number>>

/** The permission settings of the organization and of every channel of a file. */
export interface LoadedPermissions {
  readonly organization: PermissionIds
  /** By channel id. */
  readonly channels: ReadonlyMap<number, PermissionIds>
}

interface SettingOwner {
  readonly definitions: Readonly<Record<string, PermissionSettingDefinition>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly creatorId: number | undefined
}

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
    const channels = file.channels ?? []
    const owners: SettingOwner[] = [
      {
        definitions: organizationPermissions,
        settings: file.organization.settings ?? {},
        creatorId: undefined,
      },
      ...channels.map(({ settings = {}, creator_id }) => ({
        definitions: channelPermissions,
        settings,
        creatorId: creator_id,
      })),
      ...named.map(({ settings = {}, creator_id }) => ({
        definitions: groupPermissions,
        settings,
        creatorId: creator_id,
      })),
    ]
    const [organization = {}, ...others] = await this.#permissions(tx, owners, idOf)
    await this.#insertNamed(tx, named, others.slice(channels.length), createdAtSeconds)
    await this.#insertContents(tx, named, idOf)
    return {
      organization,
      channels: new Map(channels.map(({ id }, index) => [id, others[index] ?? {}])),
    }
  }

  /** The permission settings of each owner, in the same order. */
  async #permissions(
    tx: Transaction,
    owners: readonly SettingOwner[],
    idOf: (reference: number | string) => number,
  ): Promise<PermissionIds[]> {
    const resolved: (readonly (readonly [string, GroupSettingValue])[])[] = []
    const yielder = new EventLoopYielder()
    for (const { definitions, settings, creatorId } of owners) {
      if (yielder.isDue) await yielder.yield()
      resolved.push(
        Object.entries(definitions).map(
          ([name, definition]) =>
            [name, settingValue(settings[name], definition, creatorId, idOf)] as const,
        ),
      )
    }
    const ids = await this.values.storeAll(
      tx,
      resolved.flat().map(([, value]) => value),
    )
    let next = 0
    return resolved.map((settings) =>
      Object.fromEntries(settings.map(([name]) => [name, ids[next++] as number])),
    )
  }

  async #insertNamed(
    tx: Transaction,
    named: readonly FileGroup[],
    permissions: readonly PermissionIds[],
    createdAtSeconds: number,
  ): Promise<void> {
    const rows = named.map((group, index) => ({
      id: group.id,
      name: group.name,
      description: group.description ?? '',
      is_system_group: false,
      is_deactivated: group.is_deactivated ?? false,
      creator_id: group.creator_id ?? null,
      created_at_seconds: group.created_at_seconds ?? createdAtSeconds,
      settings: JSON.stringify(permissions[index]),
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
    for (const chunk of chunksOf(members)) await this.groups.insertMembers(tx, chunk)
    for (const chunk of chunksOf(subgroups)) await this.groups.insertSubgroups(tx, chunk)
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
    typeof reference === 'number' ? reference : (byName.get(reference) as number)
}

function settingValue(
  fileValue: unknown,
  { default: initial }: PermissionSettingDefinition,
  creatorId: number | undefined,
  idOf: (reference: number | string) => number,
): GroupSettingValue {
  if (fileValue === undefined) {
    const isCreators = initial === 'stream_creator_or_nobody' || initial === 'group_creator'
    if (!isCreators) return idOf(initial)
    if (creatorId === undefined) return idOf('role:nobody')
    return { direct_members: [creatorId], direct_subgroups: [] }
  }
  const value = fileValue as FileGroupValue
  if (typeof value !== 'object') return idOf(value)
  const { direct_members = [], direct_subgroups = [] } = value
  return { direct_members, direct_subgroups: direct_subgroups.map(idOf) }
}
