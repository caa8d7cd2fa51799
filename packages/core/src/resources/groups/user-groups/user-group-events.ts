import { type Static, type TProperties, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineEvent } from '../../../events/event.js'
import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import { defineRecord } from '../../../events/record-kind.js'

export const AnonymousGroup = Type.Object(
  { direct_members: Bounded.ids(), direct_subgroups: Bounded.ids() },
  { additionalProperties: false },
)
export type AnonymousGroup = Static<typeof AnonymousGroup>

/**
 * The value of a permission setting: the id of a named group, or the members and subgroups of an
 * anonymous group.
 */
export const GroupSettingValue = Type.Union([Bounded.id(), AnonymousGroup])
export type GroupSettingValue = Static<typeof GroupSettingValue>

/** A new value, and the client's assumption about the current one. */
export const GroupSettingUpdate = Type.Object(
  { new: GroupSettingValue, old: Type.Optional(GroupSettingValue) },
  { additionalProperties: false },
)
export type GroupSettingUpdate = Static<typeof GroupSettingUpdate>

/** A user group on the wire. */
export const UserGroup = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String({ description: 'Plain text.' }),
  creator_id: Type.Union([Type.Integer(), Type.Null()]),
  date_created: Type.Union([Type.Integer(), Type.Null()], { description: 'UNIX seconds.' }),
  is_system_group: Type.Boolean(),
  deactivated: Type.Boolean(),
  members: Type.Array(Type.Integer(), { description: 'Direct members who are active, ascending.' }),
  direct_subgroup_ids: Type.Array(Type.Integer()),
  can_add_members_group: GroupSettingValue,
  can_join_group: GroupSettingValue,
  can_leave_group: GroupSettingValue,
  can_manage_group: GroupSettingValue,
  can_mention_group: GroupSettingValue,
  can_remove_members_group: GroupSettingValue,
})
export type UserGroup = Static<typeof UserGroup>

/** The data of an update: the changed property. */
export type UserGroupChange = Partial<
  Omit<UserGroup, 'id' | 'creator_id' | 'date_created' | 'is_system_group' | 'members'>
>

interface AboutGroup {
  readonly group_id: number
  /**
   * Present if the group is deactivated: clients that do not support deactivated groups get no
   * event.
   */
  readonly isDeactivated?: true
}

const showsDeactivated = (queue: EventQueueOptions): boolean =>
  queue.capabilities.include_deactivated_groups === true

/** Defines an event of the type `user_group`, whose internal fields are not sent to clients. */
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
    'A group was created or reactivated. Sent to all active users. Reactivation is only sent to clients that do not support deactivated groups.',
  payload: Type.Object({ group: UserGroup }),
  accepts: ({ isReactivated }, queue) => isReactivated !== true || !showsDeactivated(queue),
  render: ({ group }) => [{ type: 'user_group', op: 'add', group }],
})

export const userGroupUpdated = defineGroupEvent<AboutGroup & { readonly data: UserGroupChange }>(
  'update',
  'A property of a group changed. Sent to all active users. Also sent when a user whom a setting ' +
    'names is reactivated; and when such a user is deactivated, to guests who cannot access the user.',
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
>('add_members', 'Users were added to the direct members of a group. Sent to all active users.', {
  group_id,
  user_ids: Type.Array(Type.Integer()),
})

export const userGroupMembersRemoved = defineGroupEvent<
  AboutGroup & { readonly user_ids: readonly number[] }
>(
  'remove_members',
  'Users were removed from the direct members of a group. Sent to all active users.',
  {
    group_id,
    user_ids: Type.Array(Type.Integer()),
  },
)

export const userGroupSubgroupsAdded = defineGroupEvent<
  AboutGroup & { readonly direct_subgroup_ids: readonly number[] }
>(
  'add_subgroups',
  'Groups were added to the direct subgroups of a group. Sent to all active users.',
  {
    group_id,
    direct_subgroup_ids: Type.Array(Type.Integer()),
  },
)

export const userGroupSubgroupsRemoved = defineGroupEvent<
  AboutGroup & { readonly direct_subgroup_ids: readonly number[] }
>(
  'remove_subgroups',
  'Groups were removed from the direct subgroups of a group. Sent to all active users.',
  {
    group_id,
    direct_subgroup_ids: Type.Array(Type.Integer()),
  },
)

export const userGroupRemoved = defineEvent({
  type: 'user_group',
  op: 'remove',
  summary:
    'A group was deactivated. Sent to all active users, to clients that do not support deactivated groups.',
  payload: Type.Object({ group_id }),
  accepts: (_, queue) => !showsDeactivated(queue),
})

export const userGroupEvents = [
  userGroupAdded,
  userGroupUpdated,
  userGroupMembersAdded,
  userGroupMembersRemoved,
  userGroupSubgroupsAdded,
  userGroupSubgroupsRemoved,
  userGroupRemoved,
]

/** A group without a name was added, of which no client gets an event. */
export const anonymousGroupAdded = defineRecord<{ readonly groupId: number }>('@groups')

/** The records of every change of groups, their members and subgroups. */
export const groupChanges = [anonymousGroupAdded, ...userGroupEvents]
