import { hasRole, isGuest, Role, type Actor } from '../../domain/actor.js'
import { channelPermissions, type ChannelPermission } from '../../domain/organization-settings.js'
import { channelSettings, type ChannelForUser, type ChannelRow } from './channel-repository.js'

/** Answers what one actor may do with channels, any number of them, without asking anybody. */
export class ChannelViewer {
  constructor(
    readonly actor: Actor,
    /** Every group that the actor is in, directly or through others. */
    private readonly groups: ReadonlySet<number>,
  ) {}

  /** Whether the actor may read the channel's messages now. */
  hasContentAccess({ channel, isSubscribed }: ChannelForUser): boolean {
    if (isSubscribed || channel.is_web_public) return true
    if (isGuest(this.actor)) return false
    if (!channel.is_private) return true
    return (
      this.allows(channel, 'can_subscribe_group') ||
      this.allows(channel, 'can_add_subscribers_group')
    )
  }

  /** Whether the actor may know that the channel exists, and who its subscribers are. */
  hasMetadataAccess(found: ChannelForUser): boolean {
    return this.hasContentAccess(found) || this.administers(found)
  }

  /** Whether the actor may change the channel. */
  administers({ channel }: Pick<ChannelForUser, 'channel'>): boolean {
    return (
      hasRole(this.actor, Role.administrator) ||
      this.allows(channel, 'can_administer_channel_group')
    )
  }

  /** Whether the actor may read what was sent before they subscribed. */
  hasHistoryAccess(found: ChannelForUser): boolean {
    const { channel } = found
    // Guests too, of a public channel that they subscribe to: its history is shared.
    if (channel.is_private && !channel.is_history_shared) return false
    return this.hasContentAccess(found)
  }

  /** Whether one of the channel's settings names a group that the actor is in. */
  allows(channel: Pick<ChannelRow, 'settings'>, permission: ChannelPermission): boolean {
    if (!channelPermissions[permission].allowsEveryone && isGuest(this.actor)) return false
    return this.isIn(channelSettings(channel)[permission])
  }

  isIn(groupId: number): boolean {
    return this.groups.has(groupId)
  }
}
