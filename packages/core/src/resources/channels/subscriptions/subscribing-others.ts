import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { ChannelAccess, type ChannelForUser } from '../channels/index.js'

/** Checks who may subscribe other users to channels. */
@perServer()
export class SubscribingOthers {
  constructor(
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
  ) {}

  /** Whether `actor` may subscribe other users to each of the channels, if they may read them. */
  async isAllowed(actor: Actor, channels: readonly ChannelForUser[]): Promise<boolean> {
    return (await this.filterAllowed(actor, channels)).length === channels.length
  }

  /** The channels to which `actor` may subscribe other users, if they may read them. */
  async filterAllowed(
    actor: Actor,
    channels: readonly ChannelForUser[],
  ): Promise<readonly ChannelForUser[]> {
    if (await this.isAllowedEverywhere(actor)) return channels
    const viewer = await this.access.viewer(actor)
    return channels.filter(
      (found) =>
        viewer.administers(found) || viewer.allows(found.channel, 'can_add_subscribers_group'),
    )
  }

  /** Whether the organization lets `actor` subscribe other users to any channel. */
  async isAllowedEverywhere(actor: Actor): Promise<boolean> {
    if (hasRole(actor, Role.administrator)) return true
    return this.groups.allows(actor, 'can_add_subscribers_group')
  }
}
