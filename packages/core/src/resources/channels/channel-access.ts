import { inject } from 'tsyringe'

import { hasRole, isGuest, Role, type Actor } from '../../domain/actor.js'
import {
  channelPermissions,
  type ChannelPermission,
} from '../../domain/organization-settings.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'
import { PermissionGroups } from '../user-groups/index.js'
import { ChannelRepository, channelSettings, type ChannelForUser } from './channel-repository.js'

/** Decides what an actor may see of a channel and do in it; the only door to a named channel. */
@perServer()
export class ChannelAccess {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
  ) {}

  /** Whether `actor` may read the channel's messages now. */
  async hasContentAccess(actor: Actor, { channel, isSubscribed }: ChannelForUser): Promise<boolean> {
    if (isSubscribed || channel.is_web_public) return true
    if (isGuest(actor)) return false
    if (!channel.is_private) return true
    return (
      (await this.#hasPermission(actor, channel, 'can_subscribe_group')) ||
      (await this.#hasPermission(actor, channel, 'can_add_subscribers_group'))
    )
  }

  /** Whether `actor` may know that the channel exists, and who its subscribers are. */
  async hasMetadataAccess(actor: Actor, found: ChannelForUser): Promise<boolean> {
    if (await this.hasContentAccess(actor, found)) return true
    return hasRole(actor, Role.administrator) || this.administers(actor, found)
  }

  /** Whether `actor` may change the channel. */
  async administers(actor: Actor, { channel }: ChannelForUser): Promise<boolean> {
    if (hasRole(actor, Role.administrator)) return true
    return this.#hasPermission(actor, channel, 'can_administer_channel_group')
  }

  /** Whether `actor` may read what was sent before they subscribed. */
  async hasHistoryAccess(actor: Actor, found: ChannelForUser): Promise<boolean> {
    const { channel } = found
    if (channel.is_web_public) return true
    if (!channel.is_private) return !isGuest(actor)
    return Boolean(channel.is_history_shared) && (await this.hasContentAccess(actor, found))
  }

  /** Whether one of the channel's settings names a group that `actor` is in. */
  async allows(
    actor: Actor,
    channel: ChannelForUser['channel'],
    permission: ChannelPermission,
  ): Promise<boolean> {
    return this.#hasPermission(actor, channel, permission)
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such channel, or `actor` must not know it. */
  async requireReadable(
    scope: OrganizationScope,
    actor: Actor,
    channelId: number,
  ): Promise<ChannelForUser> {
    const found = await this.channels.findForUser(scope, { id: channelId }, actor.userId)
    if (found === undefined || !(await this.hasContentAccess(actor, found))) {
      throw badRequest('Invalid channel ID')
    }
    return found
  }

  async #hasPermission(
    actor: Actor,
    channel: ChannelForUser['channel'],
    permission: ChannelPermission,
  ): Promise<boolean> {
    if (!channelPermissions[permission].allowsEveryone && isGuest(actor)) return false
    return this.groups.includes(channelSettings(channel)[permission], actor)
  }
}
