import { inject } from 'tsyringe'

import type { ChannelPermission } from '../../../domain/organizations/organization-settings.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { ChannelRepository } from './channel-repository.js'
import type { ChannelForUser } from './channel-rows.js'
import { ChannelViewer } from './channel-viewer.js'

/**
 * Checks what an actor may see of a channel and do in it. Every channel that a client names must be
 * looked up through it.
 */
@perServer()
export class ChannelAccess {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
  ) {}

  /** Returns the permissions of `actor` in channels, for checks of many channels. */
  async viewer(actor: Actor): Promise<ChannelViewer> {
    return new ChannelViewer(actor, await this.groups.groupsOf(actor))
  }

  /** Whether `actor` may read the channel's messages now. */
  async hasContentAccess(actor: Actor, found: ChannelForUser): Promise<boolean> {
    return (await this.viewer(actor)).hasContentAccess(found)
  }

  /** Whether the existence of the channel and its subscribers are visible to `actor`. */
  async hasMetadataAccess(actor: Actor, found: ChannelForUser): Promise<boolean> {
    return (await this.viewer(actor)).hasMetadataAccess(found)
  }

  /** Whether `actor` may change the channel. */
  async administers(actor: Actor, found: ChannelForUser): Promise<boolean> {
    return (await this.viewer(actor)).administers(found)
  }

  /** Whether one of the channel's settings names a group that `actor` is in. */
  async allows(
    actor: Actor,
    channel: ChannelForUser['channel'],
    permission: ChannelPermission,
  ): Promise<boolean> {
    return (await this.viewer(actor)).allows(channel, permission)
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such channel, or `actor` may not read it. */
  async requireReadable(
    scope: OrganizationScope,
    actor: Actor,
    channelId: number,
  ): Promise<ChannelForUser> {
    const found = await this.channels.findForUser(scope, { id: channelId }, actor.userId)
    if (found === undefined || !(await this.hasContentAccess(actor, found))) {
      throw badRequest('CHANNEL_ID_INVALID')
    }
    return found
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or it is not visible to `actor`.
   */
  async requireVisible(
    scope: OrganizationScope,
    actor: Actor,
    by: { readonly id: number } | { readonly name: string },
  ): Promise<ChannelForUser> {
    const found = await this.channels.findForUser(scope, by, actor.userId)
    if (found === undefined || !(await this.hasMetadataAccess(actor, found))) {
      throw 'id' in by
        ? badRequest('CHANNEL_ID_INVALID')
        : badRequest('CHANNEL_NAME_UNKNOWN', { name: by.name })
    }
    return found
  }
}
