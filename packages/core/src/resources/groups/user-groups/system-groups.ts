import {
  groupPermissions,
  systemGroupNames,
  type SystemGroupName,
} from '../../../domain/organizations/organization-settings.js'
import { fromKeys, fromKeysInTurn, keysOf } from '../../../kernel/objects.js'
import { toJson, type Json, type Transaction } from '../../../storage/index.js'
import type { UserGroupRepository } from './user-group-repository.js'
import { userGroups, type GroupSettings, userGroupSubgroups } from './user-groups-table.js'

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
  let nobodyId = 0
  const ids = await fromKeysInTurn(systemGroupNames, async (name) => {
    const id = prescribedIds.get(name)
    const insertedId = await tx.rows(userGroups).insert({
      ...(id === undefined ? {} : { id }),
      name,
      description: descriptions[name],
      is_system_group: true,
      is_deactivated: false,
      creator_id: null,
      created_at_seconds: createdAtSeconds,
      settings: settingsNaming(nobodyId),
    })
    if (name === 'role:nobody') nobodyId = id ?? insertedId
    return id ?? insertedId
  })
  await tx.rows(userGroups).update({ id: nobodyId }, { settings: settingsNaming(nobodyId) })
  const [, ...nested] = systemGroupNames
  await tx.rows(userGroupSubgroups).insertMany(
    nested.flatMap((name, index) => {
      const inner = nested[index - 1]
      return inner === undefined ? [] : [{ group_id: ids[name], subgroup_id: ids[inner] }]
    }),
  )
  return ids
}

/** The permission settings of a system group, which cannot be changed: all name `role:nobody`. */
function settingsNaming(nobodyId: number): Json<GroupSettings> {
  return toJson(fromKeys(keysOf(groupPermissions), () => nobodyId))
}
