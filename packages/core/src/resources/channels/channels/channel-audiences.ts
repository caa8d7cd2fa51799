import { inject } from 'tsyringe'

import { Role } from '../../../domain/actor.js'
import { GroupGraph } from '../../../domain/permission-groups.js'
import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  UserGroupRepository,
  UserGroupView,
  type FullMemberChange,
} from '../../groups/user-groups/index.js'
import { channelSettings, type ChannelRow, type ChannelSettings } from './channel-rows.js'
import { ChannelSubscriberRepository } from './channel-subscriber-repository.js'

/** The properties of an active user that determine which channels are visible to them. */
interface Person {
  readonly id: number
  readonly role: Role
}

/** The users to whom a channel is visible. The same users can see its subscribers. */
export interface ChannelObservers {
  readonly ids: ReadonlySet<number>
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
  /** The channel's active subscribers, ascending. */
  subscribers(channelId: number): readonly number[]
  observers(channel: ChannelRow): ChannelObservers
  /** Those observers who may read the channel's messages now. */
  readers(channel: ChannelRow): ChannelObservers
  /** Active users who are not guests. */
  readonly nonGuests: Audience
}

/** Computes the audiences of events about channels. */
@perServer()
export class ChannelAudiences {
  constructor(
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(UserGroupView) private readonly groupView: UserGroupView,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Reads the current subscribers of the channels, and the other users to whom they are visible.
   *
   * @param fullMembers users who count as full members or not, regardless of the clock and
   *   settings.
   */
  async load(
    tx: Transaction,
    channels: readonly ChannelRow[],
    fullMembers: FullMemberChange = {},
  ): Promise<ChannelAudience> {
    const people: readonly Person[] = await this.groups.listRoles(tx)
    const subscribers = await this.subscribers.listSubscriberIds(
      tx,
      channels.map(({ id }) => id),
    )
    const everyoneIds = people.map(({ id }) => id)
    const guestIds = new Set(people.filter(({ role }) => role === Role.guest).map(({ id }) => id))
    const nonGuestIds = everyoneIds.filter((id) => !guestIds.has(id))
    const { audiences } = this.unitOfWork
    const everyone = await audiences.intern(tx, everyoneIds)
    const nonGuests = guestIds.size === 0 ? everyone : await audiences.intern(tx, nonGuestIds)
    const membersOf = await this.#groupMembers(tx, channels, fullMembers)
    const administrators = people
      .filter(({ role }) => role <= Role.administrator)
      .map(({ id }) => id)

    const among = (
      channel: ChannelRow,
      others: (settings: ChannelSettings) => readonly number[],
    ): ChannelObservers => {
      const own = subscribers.get(channel.id) ?? []
      if (channel.is_web_public) return new InternedObservers(everyone, new Set(everyoneIds), [])
      if (!channel.is_private) {
        const guests = own.filter((id) => guestIds.has(id))
        return new InternedObservers(nonGuests, new Set(nonGuestIds), guests)
      }
      return new ListedObservers([...own, ...others(channelSettings(channel))])
    }
    const permitted = (...groupIds: number[]): readonly number[] =>
      groupIds.flatMap((groupId) => membersOf(groupId).filter((id) => !guestIds.has(id)))
    const subscribing = (settings: ChannelSettings): readonly number[] =>
      permitted(settings.can_add_subscribers_group, settings.can_subscribe_group)
    return {
      subscribers: (channelId) => subscribers.get(channelId) ?? [],
      observers: (channel) =>
        among(channel, (settings) => [
          ...administrators,
          ...permitted(settings.can_administer_channel_group),
          ...subscribing(settings),
        ]),
      readers: (channel) => among(channel, subscribing),
      nonGuests: { audienceId: nonGuests },
    }
  }

  /**
   * Returns the active members of groups at any depth; they are read only if a channel is private.
   */
  async #groupMembers(
    tx: Transaction,
    channels: readonly ChannelRow[],
    { entered = [], left = [] }: FullMemberChange,
  ): Promise<(groupId: number) => readonly number[]> {
    if (!channels.some((channel) => channel.is_private)) return () => []
    const { settings } = await this.organizations.require(tx.organizationId)
    const direct = new Map(
      await this.groupView.directMembers(tx, settings.waiting_period_threshold),
    )
    if (entered.length + left.length > 0) {
      const id = await this.groups.findSystemGroupId(tx, 'role:fullmembers')
      const gone = new Set(left)
      const others = (direct.get(id) ?? []).filter((userId) => !gone.has(userId))
      direct.set(id, [...others, ...entered])
    }
    const graph = new GroupGraph([], await this.groups.listSubgroups(tx))
    return (groupId) =>
      [...graph.containedIn([groupId])].flatMap((contained) => direct.get(contained) ?? [])
  }
}

class InternedObservers implements ChannelObservers {
  constructor(
    private readonly audienceId: number,
    private readonly members: ReadonlySet<number>,
    private readonly others: readonly number[],
  ) {}

  get ids(): ReadonlySet<number> {
    return new Set([...this.members, ...this.others])
  }

  get key(): string {
    return `${this.audienceId}+${this.others.join(',')}`
  }

  has(userId: number): boolean {
    return this.members.has(userId) || this.others.includes(userId)
  }

  without(userIds: readonly number[]): Audience {
    const left = new Set(userIds)
    return {
      audienceId: this.audienceId,
      userIds: this.others.filter((id) => !left.has(id)),
      exceptUserIds: userIds.filter((id) => this.members.has(id)),
    }
  }

  and(userIds: readonly number[]): Audience {
    return {
      audienceId: this.audienceId,
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
