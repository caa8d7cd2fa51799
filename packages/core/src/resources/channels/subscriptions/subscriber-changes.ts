import { inject, injectAll } from 'tsyringe'

import { subscriptionColor } from '../../../domain/organizations/subscription-colors.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { Transaction } from '../../../storage/index.js'
import { GuestUserVisibility, type VisibilityDiff } from '../../people/user-visibility/index.js'
import {
  ChannelAudiences,
  ChannelObjects,
  channelsCreated,
  channelsDeleted,
  type Channel,
  type ChannelAudience,
  type ChannelRow,
} from '../channels/index.js'
import { MessageAudiences } from '../message-permissions/index.js'
import { ChannelStepToken, type ChannelStep } from './channel-steps.js'
import { emitPerUser, emitToPeers } from './subscriber-announcements.js'
import {
  peersAdded,
  peersRemoved,
  subscriptionsAdded,
  subscriptionsRemoved,
} from './subscription-events.js'
import { personalFields } from './subscription-objects.js'
import {
  SubscriptionRepository,
  type ChannelUsers,
  type ColoredUsers,
} from './subscription-repository.js'

export interface NewSubscriptions {
  readonly channels: readonly ChannelRow[]
  /** Active users, whether subscribed or not. */
  readonly userIds: readonly number[]
  /** The channels among them that this transaction has created. */
  readonly createdIds?: ReadonlySet<number>
  /** Colors that the users have chosen, by channel id. */
  readonly colors?: ReadonlyMap<number, string>
  /** Whether the users themselves have clients that need events. */
  readonly usersListen?: boolean
}

/**
 * Changes the subscribers of channels, and sends events. The number of statements does not depend
 * on the number of users and channels.
 */
@perServer()
export class SubscriberChanges {
  constructor(
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(MessageAudiences) private readonly messageAudiences: MessageAudiences,
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
    @inject(ChannelObjects) private readonly objects: ChannelObjects,
    @injectAll(ChannelStepToken) private readonly steps: readonly ChannelStep[],
    @inject(GuestUserVisibility) private readonly visibility: GuestUserVisibility,
  ) {}

  /**
   * Subscribes the users to the channels where they are not subscribed yet; previous personal
   * settings are restored.
   *
   * @returns the newly subscribed users, by channel.
   */
  async add(tx: Transaction, request: NewSubscriptions): Promise<ReadonlyMap<number, number[]>> {
    const { channels, userIds } = request
    const channelIds = channels.map(({ id }) => id)
    const known = await this.subscriptions.listStatesOf(tx, userIds, channelIds)
    const [current, ended] = [new Map<number, Set<number>>(), new Map<number, Set<number>>()]
    for (const { channel_id, user_id, is_active } of known) {
      const users = is_active ? current : ended
      const ofChannel = users.get(channel_id)
      if (ofChannel === undefined) users.set(channel_id, new Set([user_id]))
      else ofChannel.add(user_id)
    }

    const added = new Map<number, number[]>()
    const first: ChannelUsers[] = []
    const again: ChannelUsers[] = []
    for (const { id: channelId } of channels) {
      const others = userIds.filter((userId) => !current.get(channelId)?.has(userId))
      if (others.length === 0) continue
      const back = ended.get(channelId) ?? new Set()
      first.push({ channelId, userIds: others.filter((userId) => !back.has(userId)) })
      again.push({ channelId, userIds: others.filter((userId) => back.has(userId)) })
      added.set(channelId, ascending(others))
    }
    if (added.size === 0 && request.createdIds === undefined) return added

    const { usersListen = true } = request
    const before = await this.audiences.load(tx, channels, { withSubscribers: usersListen })
    const visibilityDiff = await this.visibility.of(tx, [...added.values()].flat())
    await this.subscriptions.insertMany(tx, await this.#colored(tx, request, first))
    await this.subscriptions.setActive(tx, again, true)
    await this.#changeAudiences(tx, added, 'added')
    await this.#announceAdded(tx, request, added, { audience: before, visibilityDiff })
    return added
  }

  /**
   * Unsubscribes the users from the channels where they are subscribed.
   *
   * @returns the unsubscribed users, by channel.
   */
  async remove(
    tx: Transaction,
    channels: readonly ChannelRow[],
    userIds: readonly number[],
  ): Promise<ReadonlyMap<number, number[]>> {
    const channelIds = channels.map(({ id }) => id)
    const known = await this.subscriptions.listStatesOf(tx, userIds, channelIds)
    const removed = new Map<number, number[]>()
    for (const row of known) {
      if (!row.is_active) continue
      addTo(removed, row.channel_id, row.user_id)
    }
    if (removed.size === 0) return removed
    const ended = [...removed].map(([channelId, ids]) => ({ channelId, userIds: ids }))
    const visibilityDiff = await this.visibility.of(tx, [...removed.values()].flat())
    await this.subscriptions.setActive(tx, ended, false)
    await this.#changeAudiences(tx, removed, 'removed')
    const after = await this.audiences.load(tx, channels)

    emitPerUser(tx, channels, removed, subscriptionsRemoved, {
      key: ({ id }) => String(id),
      describe: ({ id, name }) => ({ stream_id: id, name }),
    })
    emitToPeers(tx, channels, removed, after, peersRemoved)
    for (const step of this.steps) await step.unsubscribed?.(tx, ended)
    for (const channel of channels) {
      const observers = after.observers(channel)
      const losing = (removed.get(channel.id) ?? []).filter((userId) => !observers.has(userId))
      if (losing.length > 0) {
        tx.emit(channelsDeleted({ userIds: losing }, { channelIds: [channel.id] }))
      }
    }
    await this.visibility.sendLost(tx, visibilityDiff)
    return removed
  }

  async #changeAudiences(
    tx: Transaction,
    users: ReadonlyMap<number, number[]>,
    change: 'added' | 'removed',
  ): Promise<void> {
    const changes = [...users].map(([channelId, ids]) => [channelId, { [change]: ids }] as const)
    await this.messageAudiences.change(tx, new Map(changes))
  }

  /** Assigns a color to every first subscription: one that the user does not use yet. */
  async #colored(
    tx: Transaction,
    { channels, colors }: NewSubscriptions,
    first: readonly ChannelUsers[],
  ): Promise<ColoredUsers[]> {
    const userIds = [...new Set(first.flatMap((group) => group.userIds))]
    const used = new Map(await this.subscriptions.listUsedColors(tx, userIds))
    const recipientIds = new Map(channels.map((channel) => [channel.id, channel.recipient_id]))
    const groups: ColoredUsers[] = []
    for (const group of [...first].sort(
      (a, b) => (recipientIds.get(a.channelId) ?? 0) - (recipientIds.get(b.channelId) ?? 0),
    )) {
      const byColor = new Map<string, number[]>()
      for (const userId of group.userIds) {
        const own = used.get(userId) ?? new Set<string>()
        const color =
          colors?.get(group.channelId) ??
          subscriptionColor(recipientIds.get(group.channelId) ?? 0, own)
        used.set(userId, own.add(color))
        addTo(byColor, color, userId)
      }
      for (const [color, ids] of byColor) {
        groups.push({ channelId: group.channelId, userIds: ids, color })
      }
    }
    return groups
  }

  async #announceAdded(
    tx: Transaction,
    { channels, userIds, createdIds = new Set(), usersListen = true }: NewSubscriptions,
    added: ReadonlyMap<number, number[]>,
    {
      audience: before,
      visibilityDiff,
    }: { audience: ChannelAudience; visibilityDiff: VisibilityDiff },
  ): Promise<void> {
    // Counting the subscribers takes long in large organizations, and new users have no clients.
    const shown = usersListen ? channels : channels.filter(({ id }) => createdIds.has(id))
    const described = await this.objects.describe(tx, shown)
    const objects = new Map(described.map((object) => [object.stream_id, object]))
    for (const channel of channels) {
      const observers = before.observers(channel)
      const users = added.get(channel.id) ?? []
      const newToIt = usersListen ? users.filter((userId) => !observers.has(userId)) : []
      const isCreated = createdIds.has(channel.id)
      if (!isCreated && newToIt.length === 0) continue
      const object = present(objects.get(channel.id), 'the description of each channel')
      // Clients add the subscribers of the events that follow to the count.
      const streams = [{ ...object, subscriber_count: object.subscriber_count - users.length }]
      const audience = isCreated ? observers.and(newToIt) : { userIds: newToIt }
      tx.emit(channelsCreated(audience, { streams }))
    }
    if (usersListen) await this.#emitToSubscribers(tx, channels, userIds, added, before, objects)
    await this.visibility.sendGained(tx, visibilityDiff, usersListen ? [] : userIds)
    emitToPeers(tx, channels, added, before, peersAdded)
  }

  async #emitToSubscribers(
    tx: Transaction,
    channels: readonly ChannelRow[],
    userIds: readonly number[],
    added: ReadonlyMap<number, number[]>,
    before: ChannelAudience,
    objects: ReadonlyMap<number, Channel>,
  ): Promise<void> {
    const rows = await this.subscriptions.listOf(tx, userIds, [...added.keys()])
    const personal = new Map(
      rows.map((row) => [pairKey(row.channel_id, row.user_id), personalFields(row)]),
    )
    const subscribers = new Map(
      [...added].map(([channelId, users]) => [
        channelId,
        ascending([...before.subscribers(channelId), ...users]),
      ]),
    )
    emitPerUser(tx, channels, added, subscriptionsAdded, {
      key: ({ id }, userId) => `${id}${JSON.stringify(personal.get(pairKey(id, userId)))}`,
      describe: ({ id }, userId) => ({
        ...present(objects.get(id), 'the description of each channel'),
        ...personal.get(pairKey(id, userId)),
        subscribers: subscribers.get(id),
      }),
    })
  }
}

function pairKey(channelId: number, userId: number): string {
  return `${channelId}/${userId}`
}

function ascending(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b)
}

/** Adds the users to the audit trail, except the caller. @param users their ids, by channel. */
export function auditSubscribers(
  tx: Transaction,
  action: 'channel.subscriber_added' | 'channel.subscriber_removed',
  users: ReadonlyMap<number, readonly number[]>,
): void {
  for (const [objectId, userIds] of users) {
    for (const userId of userIds) {
      if (userId !== tx.caller?.userId) tx.audit({ action, objectId, userId })
    }
  }
}
