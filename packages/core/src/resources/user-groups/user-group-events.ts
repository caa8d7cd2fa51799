import { Type, type TProperties } from 'typebox'

import { defineEvent } from '../../events/event.js'
import type { EventQueue } from '../../events/event-queue.js'
import { GroupSettingValue } from './group-setting-values.js'
import { UserGroup } from './user-group-view.js'

/** What an update can bring: one changed thing, under its name. */
export type UserGroupChange = Partial<
  Omit<UserGroup, 'id' | 'creator_id' | 'date_created' | 'is_system_group' | 'members'>
>

interface AboutGroup {
  readonly group_id: number
  /** Present where the group is deactivated: clients that do not show such groups hear nothing. */
  readonly isDeactivated?: true
}

const showsDeactivated = (queue: EventQueue): boolean =>
  queue.capabilities.include_deactivated_groups === true

/** An event of the type `user_group` whose internal marks stay inside. */
function defineGroupEvent<Data extends AboutGroup>(
  op: string,
  summary: string,
  payload: TProperties,
) {
  return defineEvent<Data>({
    type: 'user_group',
    op,
    summary,
    payload: Type.Object(payload),
    accepts: ({ isDeactivated }, queue) => isDeactivated !== true || showsDeactivated(queue),
    render: ({ isDeactivated: _, ...data }) => [{ type: 'user_group', op, ...data }],
  })
}

const group_id = Type.Integer()
const settingValue = Type.Optional(GroupSettingValue)

export const userGroupAdded = defineEvent<{ group: UserGroup; isReactivated?: true }>({
  type: 'user_group',
  op: 'add',
  summary:
    'A group was created, or reactivated. Sent to all active users; the latter only to clients that do not show deactivated groups.',
  payload: Type.Object({ group: UserGroup }),
  accepts: ({ isReactivated }, queue) => isReactivated !== true || !showsDeactivated(queue),
  render: ({ group }) => [{ type: 'user_group', op: 'add', group }],
})

export const userGroupUpdated = defineGroupEvent<AboutGroup & { readonly data: UserGroupChange }>(
  'update',
  'One thing about a group changed. Sent to all active users. ' +
    'Also when a setting names a user who is active again; and when it named one who is deactivated, ' +
    'to those who do not know the user.',
  {
    group_id,
    data: Type.Object({
      name: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      deactivated: Type.Optional(Type.Boolean()),
      can_add_members_group: settingValue,
      can_join_group: settingValue,
      can_leave_group: settingValue,
      can_manage_group: settingValue,
      can_mention_group: settingValue,
      can_remove_members_group: settingValue,
    }),
  },
)

export const userGroupMembersAdded = defineGroupEvent<
  AboutGroup & { readonly user_ids: readonly number[] }
>('add_members', 'Users became direct members of a group. Sent to all active users.', {
  group_id,
  user_ids: Type.Array(Type.Integer()),
})

export const userGroupMembersRemoved = defineGroupEvent<
  AboutGroup & { readonly user_ids: readonly number[] }
>('remove_members', 'Users ceased to be direct members of a group. Sent to all active users.', {
  group_id,
  user_ids: Type.Array(Type.Integer()),
})

export const userGroupSubgroupsAdded = defineGroupEvent<
  AboutGroup & { readonly direct_subgroup_ids: readonly number[] }
>('add_subgroups', 'Groups became direct subgroups of a group. Sent to all active users.', {
  group_id,
  direct_subgroup_ids: Type.Array(Type.Integer()),
})

export const userGroupSubgroupsRemoved = defineGroupEvent<
  AboutGroup & { readonly direct_subgroup_ids: readonly number[] }
>(
  'remove_subgroups',
  'Groups ceased to be direct subgroups of a group. Sent to all active users.',
  {
    group_id,
    direct_subgroup_ids: Type.Array(Type.Integer()),
  },
)

export const userGroupRemoved = defineEvent<{ readonly group_id: number }>({
  type: 'user_group',
  op: 'remove',
  summary:
    'A group was deactivated. Sent to all active users, on clients that do not show deactivated groups.',
  payload: Type.Object({ group_id }),
  accepts: (_, queue) => !showsDeactivated(queue),
})

/** Every kind of event about groups. */
export const userGroupEvents = [
  userGroupAdded.definition,
  userGroupUpdated.definition,
  userGroupMembersAdded.definition,
  userGroupMembersRemoved.definition,
  userGroupSubgroupsAdded.definition,
  userGroupSubgroupsRemoved.definition,
  userGroupRemoved.definition,
] as const
