import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'

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
