import { inject } from 'tsyringe'

import { GroupGraph } from '../../../domain/organizations/permission-groups.js'
import { Role } from '../../../domain/users/actor.js'
import type { Audience } from '../../../events/event.js'
import type { UserIds } from '../../../events/user-ids.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import {
  ActiveRoleRepository,
  GroupMemberRepository,
  UserGroupRepository,
  UserGroupView,
  type FullMemberChange,
} from '../../groups/user-groups/index.js'
import { ActiveUsers, OrganizationService } from '../../organization/organizations/index.js'
import { channelSettings } from './channel-rows.js'
import type { ChannelRow, ChannelSettings } from './channels-table.js'
import { ChannelSubscriberRepository } from './channel-subscriber-repository.js'

/** The additional data to read. */
interface AudienceNeeds {
  readonly withSubscribers?: boolean
  readonly fullMembers?: FullMemberChange | undefined
}

/** An interned list. */
interface ListedUsers {
  readonly audienceId: number
  readonly ids: UserIds
}

/** Active users who may see private channels without a subscription. */
interface PermittedUsers {
  readonly administrators: readonly number[]
  /** The members of groups, without guests. */
  of(...groupIds: readonly number[]): readonly number[]
}

/** The users to whom a channel is visible. The same users can see its subscribers. */
export interface ChannelObservers {
  readonly ids: Iterable<number>
  has(userId: number): boolean
  /** As the audience of an event, without those users. */
  without(userIds: readonly number[]): Audience
  /** As the audience of an event, together with those users. */
  and(userIds: readonly number[]): Audience
  /** Channels with equal keys have the same observers. */
  readonly key: string
}

/** The observers of some channels, as they were when it was loaded. */
export interface ChannelAudience {
  /** The channel's active subscribers, ascending. Loaded for private channels, and on request. */
  subscribers(channelId: number): readonly number[]
  observers(channel: ChannelRow): ChannelObservers
  /** Those observers who may read the channel's messages now. */
  readers(channel: ChannelRow): ChannelObservers
}

/** Computes the audiences of events about channels. */
@perServer()
export class ChannelAudiences {
  constructor(
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(GroupMemberRepository) private readonly groupMembers: GroupMemberRepository,
    @inject(ActiveRoleRepository) private readonly roles: ActiveRoleRepository,
    @inject(UserGroupView) private readonly groupView: UserGroupView,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Determines who the observers of the channels are now. Those of public channels are not read one
   * by one: they are in a list of the organization.
   *
   * @param withSubscribers whether {@link ChannelAudience.subscribers} is used.
   * @param fullMembers users who count as full members or not, regardless of the clock and
   *   settings.
   */
  async load(
    tx: Transaction,
    channels: readonly ChannelRow[],
    { withSubscribers = false, fullMembers = {} }: AudienceNeeds = {},
  ): Promise<ChannelAudience> {
    const isPublic = (channel: ChannelRow): boolean => !channel.is_web_public && !channel.is_private
    const idsOf = (chosen: readonly ChannelRow[]): number[] => chosen.map(({ id }) => id)
    const listed = withSubscribers ? channels : channels.filter(({ is_private }) => is_private)
    const subscribers = await this.subscribers.listSubscriberIds(tx, idsOf(listed))
    const guests = await this.subscribers.listGuestIds(tx, idsOf(channels.filter(isPublic)))
    const everyone = await this.#listed(tx, await this.activeUsers.audience(tx))
    const members = await this.#listed(tx, await this.activeUsers.memberAudience(tx))
    const permitted = await this.#permitted(tx, channels, fullMembers)

    const among = (
      channel: ChannelRow,
      others: (settings: ChannelSettings) => readonly number[],
    ): ChannelObservers => {
      if (channel.is_web_public) return new InternedObservers(everyone, [])
      if (!channel.is_private) return new InternedObservers(members, guests.get(channel.id) ?? [])
      const own = subscribers.get(channel.id) ?? []
      return new ListedObservers([...own, ...others(channelSettings(channel))])
    }
    const subscribing = (settings: ChannelSettings): readonly number[] =>
      permitted.of(settings.can_add_subscribers_group, settings.can_subscribe_group)
    const listedIds = new Set(idsOf(listed))
    return {
      subscribers: (channelId) => {
        if (!listedIds.has(channelId)) throw new Error('The subscribers are not loaded')
        return subscribers.get(channelId) ?? []
      },
      observers: (channel) =>
        among(channel, (settings) => [
          ...permitted.administrators,
          ...permitted.of(settings.can_administer_channel_group),
          ...subscribing(settings),
        ]),
      readers: (channel) => among(channel, subscribing),
    }
  }

  async #listed(tx: Transaction, audienceId: number): Promise<ListedUsers> {
    return { audienceId, ids: await this.unitOfWork.audiences.members(tx, audienceId) }
  }

  /** The users to whom settings of private channels give access; read only if there are such. */
  async #permitted(
    tx: Transaction,
    channels: readonly ChannelRow[],
    fullMembers: FullMemberChange,
  ): Promise<PermittedUsers> {
    const settings = channels.filter((channel) => channel.is_private).map(channelSettings)
    if (settings.length === 0) return { administrators: [], of: () => [] }
    const byRole = await this.roles.listRoles(tx, [Role.owner, Role.administrator, Role.guest])
    const idsOf = (role: Role): readonly number[] => byRole.get(role)?.ids ?? []
    const guestIds = new Set(idsOf(Role.guest))
    const membersOf = await this.#groupMembers(tx, settings.flatMap(accessGroupIds), fullMembers)
    return {
      administrators: [...idsOf(Role.owner), ...idsOf(Role.administrator)],
      of: (...groupIds) =>
        groupIds.flatMap((groupId) => membersOf(groupId).filter((id) => !guestIds.has(id))),
    }
  }

  /**
   * Returns the active members, at any depth, of some groups. Most settings name few users, of whom
   * an organization may have thousands.
   */
  async #groupMembers(
    tx: Transaction,
    groupIds: readonly number[],
    { entered = [], left = [] }: FullMemberChange,
  ): Promise<(groupId: number) => readonly number[]> {
    const { settings } = await this.organizations.require(tx.organizationId)
    const graph = new GroupGraph([], await this.groupMembers.listActiveSubgroups(tx))
    const contained = graph.containedIn(groupIds)
    const direct = new Map(
      await this.groupView.directMembers(tx, settings.waiting_period_threshold, contained),
    )
    if (entered.length + left.length > 0) {
      const id = await this.groups.findSystemGroupId(tx, 'role:fullmembers')
      const gone = new Set(left)
      const others = (direct.get(id) ?? []).filter((userId) => !gone.has(userId))
      if (contained.has(id)) direct.set(id, [...others, ...entered])
    }
    return (groupId) => [...graph.containedIn([groupId])].flatMap((id) => direct.get(id) ?? [])
  }
}

/** The groups whose members may see a private channel without a subscription. */
function accessGroupIds(settings: ChannelSettings): number[] {
  return [
    settings.can_add_subscribers_group,
    settings.can_subscribe_group,
    settings.can_administer_channel_group,
  ]
}

class InternedObservers implements ChannelObservers {
  constructor(
    private readonly listed: ListedUsers,
    /** Users who are not listed. */
    private readonly others: readonly number[],
  ) {}

  get ids(): Iterable<number> {
    return [...this.listed.ids, ...this.others]
  }

  get key(): string {
    return `${this.listed.audienceId}+${this.others.join(',')}`
  }

  has(userId: number): boolean {
    return this.listed.ids.has(userId) || this.others.includes(userId)
  }

  without(userIds: readonly number[]): Audience {
    const left = new Set(userIds)
    return {
      audienceId: this.listed.audienceId,
      userIds: this.others.filter((id) => !left.has(id)),
      exceptUserIds: userIds.filter((id) => this.listed.ids.has(id)),
    }
  }

  and(userIds: readonly number[]): Audience {
    return {
      audienceId: this.listed.audienceId,
      userIds: [...this.others, ...userIds.filter((id) => !this.has(id))],
    }
  }
}

class ListedObservers implements ChannelObservers {
  readonly ids: ReadonlySet<number>

  constructor(userIds: Iterable<number>) {
    this.ids = new Set([...userIds].sort((a, b) => a - b))
  }

  get key(): string {
    return [...this.ids].join(',')
  }

  has(userId: number): boolean {
    return this.ids.has(userId)
  }

  without(userIds: readonly number[]): Audience {
    const left = new Set(userIds)
    return { userIds: [...this.ids].filter((id) => !left.has(id)) }
  }

  and(userIds: readonly number[]): Audience {
    return { userIds: [...new Set([...this.ids, ...userIds])] }
  }
}
