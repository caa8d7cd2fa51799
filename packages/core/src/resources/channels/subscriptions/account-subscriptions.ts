import { inject } from 'tsyringe'

import type { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { GuestUserVisibility } from '../../people/user-visibility/index.js'
import { actorOf, type AccountStep, type UserRow } from '../../people/users/index.js'
import {
  ChannelAudiences,
  ChannelObjects,
  ChannelRepository,
  channelsDeleted,
  ChannelSubscriberRepository,
  ChannelViewer,
  type ChannelForUser,
} from '../channels/index.js'
import { MessageAudiences } from '../message-permissions/index.js'
import { emitNewlyVisible, emitToPeers } from './subscriber-announcements.js'
import { peersAdded, peersRemoved } from './subscription-events.js'
import { SubscriptionRepository } from './subscription-repository.js'
import { subscriptions } from './subscriptions-table.js'

/** Updates subscriber lists and visibility when accounts change. */
@perServer()
export class AccountSubscriptions implements AccountStep {
  constructor(
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(MessageAudiences) private readonly messageAudiences: MessageAudiences,
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
    @inject(ChannelObjects) private readonly objects: ChannelObjects,
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(GuestUserVisibility) private readonly visibility: GuestUserVisibility,
  ) {}

  async beforeDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    await this.#setUserActive(tx, user, false)
  }

  async reactivated(tx: Transaction, user: UserRow): Promise<void> {
    await this.#setUserActive(tx, user, true)
  }

  /** Sends the user events for the channels that the new role shows and hides. */
  async roleChanged(tx: Transaction, user: UserRow, oldRole: Role): Promise<void> {
    const found = await this.channels.listForUser(tx, user.id)
    const [before, after] = await Promise.all([
      this.#viewer({ ...user, role: oldRole }),
      this.#viewer(user),
    ])
    const changed = (now: ChannelViewer, other: ChannelViewer): ChannelForUser[] =>
      found.filter((item) => now.hasMetadataAccess(item) && !other.hasMetadataAccess(item))
    const appeared = changed(after, before).map(({ channel }) => channel)
    const vanished = changed(before, after).map(({ channel }) => channel.id)
    if (appeared.length > 0) {
      const subscribers = await this.subscribers.listSubscriberIds(
        tx,
        appeared.map(({ id }) => id),
      )
      emitNewlyVisible(
        tx,
        { userIds: [user.id] },
        await this.objects.describe(tx, appeared),
        (channelId) => subscribers.get(channelId) ?? [],
      )
    }
    if (vanished.length > 0) {
      tx.emit(channelsDeleted({ userIds: [user.id] }, { channelIds: vanished }))
    }
  }

  async #setUserActive(tx: Transaction, user: UserRow, isActive: boolean): Promise<void> {
    const visibilityDiff = await this.visibility.of(tx, isActive ? [user.id] : [])
    await this.subscriptions.setUserActive(tx, user.id, isActive)
    await this.visibility.sendGained(tx, visibilityDiff)
    const rows = await tx.rows(subscriptions).list({ user_id: user.id })
    const channelIds = rows.filter((row) => row.is_active).map((row) => row.channel_id)
    if (channelIds.length === 0) return
    const change = { [isActive ? 'added' : 'removed']: [user.id] }
    await this.messageAudiences.change(tx, new Map(channelIds.map((id) => [id, change])))
    // Clients remove a deactivated user from archived channels by themselves, but do not add a
    // reactivated one.
    const channels = (await this.channels.findMany(tx, channelIds)).filter(
      (channel) => isActive || !channel.is_archived,
    )
    const audience = await this.audiences.load(tx, channels)
    const changed = new Map(channels.map(({ id }) => [id, [user.id]]))
    emitToPeers(tx, channels, changed, audience, isActive ? peersAdded : peersRemoved)
  }

  async #viewer(user: UserRow): Promise<ChannelViewer> {
    return new ChannelViewer(actorOf(user), await this.groups.groupsOf(actorOf(user)))
  }
}
