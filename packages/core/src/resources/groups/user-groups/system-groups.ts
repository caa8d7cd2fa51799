import {
  groupPermissions,
  systemGroupNames,
  type SystemGroupName,
} from '../../../domain/organization-settings.js'
import type { Transaction } from '../../../storage/index.js'
import type { UserGroupRepository } from './user-group-repository.js'

const descriptions: Readonly<Record<SystemGroupName, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners of this organization',
  'role:administrators': 'Administrators of this organization, including owners',
  'role:moderators': 'Moderators of this organization, including administrators',
  'role:fullmembers': 'Members of this organization, not including new accounts and guests',
  'role:members': 'Members of this organization, not including guests',
  'role:everyone': 'Everyone in this organization, including guests',
  'role:internet': 'Everyone on the Internet',
}

/**
 * Creates the system groups of a new organization. Beginning with the owners, each group contains
 * the previous one.
 *
 * @param prescribedIds ids of some of the groups.
 * @returns their ids by name.
 */
export async function insertSystemGroups(
  tx: Transaction,
  groups: UserGroupRepository,
  createdAtSeconds: number,
  prescribedIds: ReadonlyMap<string, number> = new Map(),
): Promise<Record<SystemGroupName, number>> {
  const ids = {} as Record<SystemGroupName, number>
  for (const name of systemGroupNames) {
    const nobodyId = ids['role:nobody'] as number | undefined
    const id = prescribedIds.get(name)
    const insertedId = await groups.insert(tx, {
      ...(id === undefined ? {} : { id }),
      name,
      description: descriptions[name],
      is_system_group: true,
      is_deactivated: false,
      creator_id: null,
      created_at_seconds: createdAtSeconds,
      settings: settingsNaming(nobodyId ?? 0),
    })
    ids[name] = id ?? insertedId
  }
  await groups.update(tx, ids['role:nobody'], { settings: settingsNaming(ids['role:nobody']) })
  await groups.insertSubgroups(
    tx,
    systemGroupNames.slice(2).map((name, index) => ({
      group_id: ids[name],
      subgroup_id: ids[systemGroupNames[index + 1] as SystemGroupName],
    })),
  )
  return ids
}

/** The permission settings of a system group, which cannot be changed: all name `role:nobody`. */
function settingsNaming(nobodyId: number): string {
  return JSON.stringify(
    Object.fromEntries(Object.keys(groupPermissions).map((name) => [name, nobodyId])),
  )
}
