import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  type ChannelForUser,
} from '../../channels/channels/index.js'
import { SubscribingOthers } from '../../channels/subscriptions/index.js'
import { PermissionGroups, UserGroupAccess } from '../../groups/user-groups/index.js'
import type { Joining } from '../../people/users/index.js'
import type { InvitationRow } from './invitations-table.js'

/** The offer of an invitation to the people who accept it, as its creator requests it. */
export interface InvitationOffer {
  readonly role: Role
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  readonly joinsDefaultChannels: boolean
  /** The custom welcome message; only administrators' are used. */
  readonly welcomeText: string | null
}

type InvitingPermission = 'can_invite_users_group' | 'create_multiuse_invite_group'

const addingMembers = ['can_add_members_group'] as const

/** Checks who may invite, as what, to which channels and groups, and who manages invitations. */
@perServer()
export class InvitationRules {
  constructor(
    @inject(PermissionGroups) private readonly permissions: PermissionGroups,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly channelAccess: ChannelAccess,
    @inject(SubscribingOthers) private readonly subscribing: SubscribingOthers,
    @inject(UserGroupAccess) private readonly groups: UserGroupAccess,
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not create invitations of this kind,
   *   `UNAUTHORIZED_PRINCIPAL` if not for this role.
   */
  async requireAllowed(actor: Actor, permission: InvitingPermission, role: Role): Promise<void> {
    if (!(await this.permissions.allows(actor, permission))) {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
    if (hasRole(actor, role)) return
    throw new ChatError('UNAUTHORIZED_PRINCIPAL', {
      text: namedText(role === Role.owner ? 'OWNER_REQUIRED' : 'ADMINISTRATOR_REQUIRED'),
    })
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if a channel or a group does not exist, or `actor` may not
   *   add users to it.
   */
  async requireOffer(
    scope: OrganizationScope,
    actor: Actor,
    { channelIds, groupIds }: InvitationOffer,
  ): Promise<void> {
    await this.#requireChannels(scope, actor, channelIds)
    for (const group of await this.groups.requireActiveGroups(scope, groupIds)) {
      await this.groups.requirePermission(actor, group, addingMembers)
    }
  }

  /** Whether `inviter` may still create an invitation like this one. */
  async isStillAllowed(inviter: Actor, invitation: InvitationRow): Promise<boolean> {
    const { is_reusable, link_id, role } = invitation
    const isLink = is_reusable || link_id !== null
    const permission = isLink ? 'create_multiuse_invite_group' : 'can_invite_users_group'
    return hasRole(inviter, role) && (await this.permissions.allows(inviter, permission))
  }

  /** Whether `actor` may see, revoke and resend an invitation. */
  manages(actor: Actor, { inviter_id, role }: InvitationRow): boolean {
    if (inviter_id === actor.userId) return true
    return hasRole(actor, role === Role.owner ? Role.owner : Role.administrator)
  }

  /** The part of an invitation's offer that `inviter` could still give. */
  async narrow(
    scope: OrganizationScope,
    inviter: Actor,
    { channelIds, groupIds, welcomeText }: Pick<Joining, 'channelIds' | 'groupIds' | 'welcomeText'>,
  ): Promise<Pick<Joining, 'channelIds' | 'groupIds' | 'welcomeText'>> {
    const { allowed } = await this.#channelsOf(scope, inviter, channelIds)
    return {
      channelIds: allowed.map(({ channel }) => channel.id),
      groupIds: await this.groups.filterPermitted(scope, inviter, groupIds, addingMembers),
      welcomeText: hasRole(inviter, Role.administrator) ? welcomeText : null,
    }
  }

  async #requireChannels(
    scope: OrganizationScope,
    actor: Actor,
    channelIds: readonly number[],
  ): Promise<void> {
    const { visible, allowed } = await this.#channelsOf(scope, actor, channelIds)
    const visibleIds = new Set(visible.map(({ channel }) => channel.id))
    const unknownId = channelIds.find((id) => !visibleIds.has(id))
    if (unknownId !== undefined) {
      throw badRequest('INVITATION_CHANNEL_INVALID', { channelId: unknownId })
    }
    if (allowed.length < visible.length) throw badRequest('INVITATION_SUBSCRIBING_NOT_ALLOWED')
  }

  /** The channels that `actor` can see, and those of them that `actor` may give to new users. */
  async #channelsOf(
    scope: OrganizationScope,
    actor: Actor,
    channelIds: readonly number[],
  ): Promise<Record<'visible' | 'allowed', readonly ChannelForUser[]>> {
    const found = await this.channels.findManyForUser(scope, channelIds, actor.userId)
    const viewer = await this.channelAccess.viewer(actor)
    const visible = found.filter(
      (item) => !item.channel.is_archived && viewer.hasMetadataAccess(item),
    )
    const others = visible.filter(
      (item) => !item.channel.is_default && viewer.hasContentAccess(item),
    )
    const subscribable = new Set(await this.subscribing.filterAllowed(actor, others))
    const allowed = visible.filter((item) => item.channel.is_default || subscribable.has(item))
    return { visible, allowed }
  }
}
