import type { ChannelState, ChatState } from '@parley/client'

import { includesMember } from '../groups/permission.js'

export const privacyKinds = ['webPublic', 'public', 'privateShared', 'privateProtected'] as const
/** The users who can read a channel. */
export type Privacy = (typeof privacyKinds)[number]

type Flags = Pick<ChannelState, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>

export function privacyOf(channel: Flags): Privacy {
  if (channel.is_web_public) return 'webPublic'
  if (!channel.invite_only) return 'public'
  return channel.history_public_to_subscribers ? 'privateShared' : 'privateProtected'
}

/** The same in the API's three settings. */
export function privacyFlags(privacy: Privacy): Flags {
  return {
    invite_only: privacy === 'privateShared' || privacy === 'privateProtected',
    is_web_public: privacy === 'webPublic',
    history_public_to_subscribers: privacy !== 'privateProtected',
  }
}

/** Whether the organization lets the user create channels of this kind. */
export function mayCreate(privacy: Privacy, state: ChatState): boolean {
  const { organization } = state
  switch (privacy) {
    case 'webPublic':
      return (
        organization.server_web_public_streams_enabled === true &&
        organization.realm_enable_spectator_access === true &&
        includesMember(organization.realm_can_create_public_channel_group, state) &&
        includesMember(organization.realm_can_create_web_public_channel_group, state)
      )
    case 'public':
      return includesMember(organization.realm_can_create_public_channel_group, state)
    case 'privateShared':
    case 'privateProtected':
      return includesMember(organization.realm_can_create_private_channel_group, state)
  }
}

/** The kinds that the user may choose for a channel, with the one that it is. */
export function possiblePrivacy(channel: Flags, state: ChatState): Privacy[] {
  const current = privacyOf(channel)
  return privacyKinds.filter((kind) => kind === current || mayCreate(kind, state))
}
