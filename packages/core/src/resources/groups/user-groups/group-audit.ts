import type { Transaction } from '../../../storage/index.js'

/** Adds users who were added to or removed from a group to the audit trail, except the caller. */
export function auditMembers(
  tx: Transaction,
  action: 'user_group.member_added' | 'user_group.member_removed',
  groupId: number,
  userIds: readonly number[],
): void {
  for (const userId of userIds) {
    if (userId !== tx.caller?.userId) tx.audit({ action, objectId: groupId, userId })
  }
}

/** Adds groups that became or ceased to be subgroups to the audit trail. */
export function auditSubgroups(
  tx: Transaction,
  action: 'user_group.subgroup_added' | 'user_group.subgroup_removed',
  groupId: number,
  subgroupIds: readonly number[],
): void {
  const which = action === 'user_group.subgroup_added' ? 'new' : 'old'
  for (const id of subgroupIds) {
    tx.audit({ action, objectId: groupId, changes: { subgroup_id: { [which]: id } } })
  }
}
