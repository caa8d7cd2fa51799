import { Type, type Static } from 'typebox'

import { GroupSettingValue } from '../../groups/user-groups/index.js'

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

/** A channel's permission settings on the wire. */
const channelSettingProperties = {
  can_add_subscribers_group: GroupSettingValue,
  can_administer_channel_group: GroupSettingValue,
  can_delete_any_message_group: GroupSettingValue,
  can_delete_own_message_group: GroupSettingValue,
  can_move_messages_out_of_channel_group: GroupSettingValue,
  can_move_messages_within_channel_group: GroupSettingValue,
  can_remove_subscribers_group: GroupSettingValue,
  can_resolve_topics_group: GroupSettingValue,
  can_send_message_group: GroupSettingValue,
  can_subscribe_group: GroupSettingValue,
}

/** The properties of a channel that are visible to every user to whom the channel is. */
export const channelProperties = {
  stream_id: Type.Integer(),
  name: Type.String(),
  is_archived: Type.Boolean(),
  description: Type.String({ description: 'Markdown.' }),
  rendered_description: Type.String({ description: 'HTML.' }),
  date_created: Type.Integer({ description: 'UNIX seconds.' }),
  creator_id: NullableInteger,
  invite_only: Type.Boolean(),
  is_web_public: Type.Boolean(),
  history_public_to_subscribers: Type.Boolean(),
  stream_post_policy: Type.Integer({
    description: 'Deprecated: 1 everyone, 2 administrators, 3 full members, 4 moderators.',
  }),
  is_announcement_only: Type.Boolean({ description: 'Deprecated.' }),
  message_retention_days: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Null inherits from the organization; -1 keeps messages forever.',
  }),
  topics_policy: Type.String(),
  first_message_id: NullableInteger,
  folder_id: NullableInteger,
  is_recently_active: Type.Boolean(),
  ...channelSettingProperties,
  subscriber_count: Type.Integer({ description: 'Active users, bots included.' }),
  stream_weekly_traffic: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Messages per week; null while the channel is younger than a week.',
  }),
}

/** A channel on the wire. */
export const Channel = Type.Object(channelProperties, { additionalProperties: false })
export type Channel = Static<typeof Channel>

/** A channel in a list that may mark the default channels. */
export const ListedChannel = Type.Object(
  { ...channelProperties, is_default: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type ListedChannel = Static<typeof ListedChannel>
