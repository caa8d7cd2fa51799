import type { ChannelState, ChatState } from '@parley/client'

import { includesMe, includesMember } from '../groups/permission.js'

/** The user's rights in a channel; the server decides again. */
export interface ChannelRights {
  readonly administers: boolean
  /** Whether the user can read its messages. */
  readonly reads: boolean
  readonly addsOthers: boolean
  readonly removesOthers: boolean
  readonly setsDefault: boolean
  readonly setsRetention: boolean
  readonly setsTopicsPolicy: boolean
  readonly setsDeletion: boolean
}

export function channelRights(channel: ChannelState, state: ChatState): ChannelRights {
  const { me, organization } = state
  const administers = me.is_admin || includesMember(channel.can_administer_channel_group, state)
  const isAdder = includesMember(channel.can_add_subscribers_group, state)
  const reads =
    channel.subscription !== undefined ||
    channel.is_web_public ||
    (!channel.invite_only && !me.is_guest) ||
    isAdder ||
    includesMember(channel.can_subscribe_group, state)
  const addsAnywhere = includesMember(organization.realm_can_add_subscribers_group, state)
  return {
    administers,
    reads,
    addsOthers: reads && !me.is_guest && (administers || isAdder || addsAnywhere),
    removesOthers: administers || includesMember(channel.can_remove_subscribers_group, state),
    setsDefault: me.is_admin,
    setsRetention: me.is_owner,
    setsTopicsPolicy:
      administers &&
      (me.is_admin || includesMe(organization.realm_can_set_topics_policy_group, state)),
    setsDeletion:
      administers &&
      (me.is_admin ||
        includesMember(organization.realm_can_set_delete_message_policy_group, state)),
  }
}
