import {
  channelPermissions,
  type ChannelPermission,
} from '../../../domain/organizations/organization-settings.js'
import { hasRole, isGuest, Role, type Actor } from '../../../domain/users/actor.js'
import { channelSettings, type VisibilityOfChannel } from './channel-rows.js'
import type { ChannelRow } from './channels-table.js'

/** The permission settings of a channel whose groups may read its messages. */
export const channelContentPermissions = [
  'can_subscribe_group',
  'can_add_subscribers_group',
] as const satisfies readonly ChannelPermission[]

interface FoundChannel {
  readonly channel: VisibilityOfChannel
  /** Whether the actor is subscribed to it. */
  readonly isSubscribed: boolean
}

/** Checks what one actor may do with any number of channels, without further queries. */
export class ChannelViewer {
  constructor(
    readonly actor: Actor,
    /** Every group that the actor is in, directly or through others. */
    private readonly groups: ReadonlySet<number>,
  ) {}

  /** Whether the actor may read the channel's messages now. */
  hasContentAccess({ channel, isSubscribed }: FoundChannel): boolean {
    if (isSubscribed || channel.is_web_public) return true
    if (isGuest(this.actor)) return false
    if (!channel.is_private) return true
    return channelContentPermissions.some((permission) => this.allows(channel, permission))
  }

  /** Whether the existence of the channel and its subscribers are visible to the actor. */
  hasMetadataAccess(found: FoundChannel): boolean {
    return this.hasContentAccess(found) || this.administers(found)
  }

  /** Whether the actor may change the channel. */
  administers({ channel }: Pick<FoundChannel, 'channel'>): boolean {
    return (
      hasRole(this.actor, Role.administrator) ||
      this.allows(channel, 'can_administer_channel_group')
    )
  }

  /** Whether one of the channel's settings names a group that the actor is in. */
  allows(channel: Pick<ChannelRow, 'settings'>, permission: ChannelPermission): boolean {
    if (!this.mayBeAllowed(permission)) return false
    return this.isIn(channelSettings(channel)[permission])
  }

  /** Whether a setting of this name can apply to the actor's role. */
  mayBeAllowed(permission: ChannelPermission): boolean {
    return channelPermissions[permission].allowsEveryone || !isGuest(this.actor)
  }

  /** Every group that the actor is in, directly or through others. */
  get groupIds(): readonly number[] {
    return [...this.groups]
  }

  isIn(groupId: number): boolean {
    return this.groups.has(groupId)
  }
}
